// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include <forklift/tensor.hpp>
#include <forklift/tensor_dataset.hpp>

namespace forklift::test_support {

using LabelledDataset = TensorDataset<Tensor, Tensor>;
using LabelledBatch = std::tuple<Tensor, Tensor>;

/// The dataset of upstream's TestDataLoader: 100 tensors [2, 3, 5] that all differ, with a label
/// below 50 each.
inline LabelledDataset labelled() {
  Tensor images = Tensor::empty({100, 2, 3, 5});
  const auto elements = images.data<float>();
  std::iota(elements.begin(), elements.end(), 0.0F);
  Tensor labels = Tensor::empty({100}, DType::i64);
  for (std::size_t i = 0; i < 100; ++i) {
    labels.data<std::int64_t>()[i] = static_cast<std::int64_t>(7 * i % 50);
  }
  return LabelledDataset(images, labels);
}

/// The index of the sample in row `row` of a batch of them, found by its first element; -1 if the
/// other elements or the label are not that sample's.
inline std::int64_t index_of_row(const LabelledBatch& batch, std::int64_t row) {
  const auto& [images, labels] = batch;
  const Tensor image = images.row(row);
  const auto index = static_cast<std::int64_t>(image.data<float>()[0]) / 30;
  const auto [expected, label] = labelled().get(static_cast<std::size_t>(index));
  const bool is_whole = image.shape() == expected.shape() &&
                        std::ranges::equal(image.data<float>(), expected.data<float>());
  return is_whole && labels.row(row).item<std::int64_t>() == label.item<std::int64_t>() ? index
                                                                                        : -1;
}

/// The indices of a batch of them, by index_of_row().
inline std::vector<std::int64_t> indices_of(const LabelledBatch& batch) {
  std::vector<std::int64_t> indices;
  for (std::int64_t row = 0; row < std::get<0>(batch).size(0); ++row) {
    indices.push_back(index_of_row(batch, row));
  }
  return indices;
}

}  // namespace forklift::test_support
