// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <torch/data.h>

#include "images/pixels.hpp"
#include "throughput/contender.hpp"

namespace bench {

/// images/dataset.hpp for torch::data: get() copies nothing, Stack copies each image once.
class TorchStoredImages : public torch::data::datasets::Dataset<TorchStoredImages> {
 public:
  TorchStoredImages(std::span<std::uint8_t> store, std::size_t num_samples)
      : store_(store),
        num_samples_(num_samples) {}
  torch::data::Example<> get(std::size_t index) override {
    return {torch::from_blob(
                store_.data() + index % kStoredImages * kImageBytes, {3, 224, 224}, torch::kUInt8),
            torch::scalar_tensor(static_cast<std::int64_t>(index), torch::kInt64)};
  }
  [[nodiscard]] c10::optional<std::size_t> size() const override { return num_samples_; }

 private:
  std::span<std::uint8_t> store_;
  std::size_t num_samples_;
};

struct TorchImageView {
  BatchView<std::uint8_t> operator()(const torch::data::Example<>& batch) const {
    return {
        {batch.data.data_ptr<std::uint8_t>(), static_cast<std::size_t>(batch.data.numel())},
        {batch.target.data_ptr<std::int64_t>(), static_cast<std::size_t>(batch.target.numel())}};
  }
};

}  // namespace bench
