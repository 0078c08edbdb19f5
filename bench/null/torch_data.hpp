// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <torch/data.h>

#include "throughput/contender.hpp"

namespace bench {

/// null/dataset.hpp for torch::data: an example is a tensor, a batch a stack of one.
class TorchNumbers
    : public torch::data::datasets::Dataset<TorchNumbers, torch::data::TensorExample> {
 public:
  explicit TorchNumbers(std::size_t num_samples) : num_samples_(num_samples) {}
  torch::data::TensorExample get(std::size_t index) override {
    return torch::data::TensorExample(
        torch::scalar_tensor(static_cast<std::int64_t>(index), torch::kInt64));
  }
  [[nodiscard]] c10::optional<std::size_t> size() const override { return num_samples_; }

 private:
  std::size_t num_samples_;
};

struct TorchNumbersView {
  BatchView<std::int64_t> operator()(const torch::data::TensorExample& batch) const {
    const std::span values(batch.data.data_ptr<std::int64_t>(),
                           static_cast<std::size_t>(batch.data.numel()));
    return {values, values};
  }
};

}  // namespace bench
