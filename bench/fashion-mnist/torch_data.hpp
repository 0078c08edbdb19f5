// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <torch/data.h>

#include "fashion-mnist/pixels.hpp"
#include "throughput/contender.hpp"

namespace bench {

/// fashion-mnist/dataset.hpp for torch::data: the same loop over the pixels, into a tensor.
class TorchFashionImages : public torch::data::datasets::Dataset<TorchFashionImages> {
 public:
  TorchFashionImages(FashionPixels pixels, std::size_t num_samples)
      : pixels_(pixels),
        num_samples_(num_samples) {}
  torch::data::Example<> get(std::size_t index) override {
    const std::size_t stored = index % pixels_.labels.size();
    torch::Tensor image = torch::empty({1, 28, 28});
    normalise(pixels_.images.subspan(stored * kFashionPixels).first<kFashionPixels>(),
              std::span<float, kFashionPixels>(image.data_ptr<float>(), kFashionPixels));
    return {std::move(image),
            torch::scalar_tensor(static_cast<std::int64_t>(pixels_.labels[stored]), torch::kInt64)};
  }
  [[nodiscard]] c10::optional<std::size_t> size() const override { return num_samples_; }

 private:
  FashionPixels pixels_;
  std::size_t num_samples_;
};

struct TorchFashionView {
  BatchView<float> operator()(const torch::data::Example<>& batch) const {
    return {
        {batch.data.data_ptr<float>(), static_cast<std::size_t>(batch.data.numel())},
        {batch.target.data_ptr<std::int64_t>(), static_cast<std::size_t>(batch.target.numel())}};
  }
};

}  // namespace bench
