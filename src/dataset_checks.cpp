// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <forklift/count.hpp>
#include <forklift/detail/cumulative_sizes.hpp>
#include <forklift/detail/dataset_checks.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/error.hpp>

namespace forklift::detail {

std::size_t common_size(std::string_view parts, std::span<const std::size_t> sizes) {
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i] != sizes[0]) {
      throw InvalidOptions(
          fmt::format("Size mismatch between {}: number 0 has {}, number {} has {}",
                      parts,
                      sizes[0],
                      i,
                      sizes[i]));
    }
  }
  return sizes.empty() ? 0 : sizes[0];
}

std::size_t count_from_end(std::string_view dataset, std::int64_t index, std::size_t size) {
  if (index >= 0) {
    return static_cast<std::size_t>(index);
  }
  const std::size_t from_end = std::size_t{0} - static_cast<std::size_t>(index);
  if (from_end > size) {
    throw InvalidOptions(fmt::format(
        "absolute value of index should not exceed dataset length: index {} of a {} of {} samples",
        index,
        dataset,
        size));
  }
  return size - from_end;
}

std::size_t positive_buffer_size(const Count& size) {
  if (size.is_negative() || size.is_zero()) {
    throw InvalidOptions(
        fmt::format("the size of a ShuffleBuffer should be positive, but got {}", size.text()));
  }
  return size.value();
}

void throw_index_out_of_range(std::string_view dataset, std::size_t index, std::size_t size) {
  throw InvalidOptions(
      fmt::format("index {} is out of range for a {} of {} samples", index, dataset, size));
}

void throw_subset_index(const Count& index, std::size_t position, std::size_t size) {
  throw InvalidOptions(
      fmt::format("index {} at position {} of a Subset is out of range for a dataset of {} samples",
                  index.text(),
                  position,
                  size));
}

void throw_bulk_count(std::size_t expected, std::size_t got) {
  throw TensorError(fmt::format(
      "Nested dataset's output size mismatch. Expected {}, got {}: get_batch must return one "
      "sample for each index",
      expected,
      got));
}

void throw_tensor_without_rows() {
  throw InvalidOptions("a TensorDataset needs tensors with a first dimension, but got a scalar");
}

void throw_negative_dataset_size(std::int64_t size) {
  throw InvalidOptions(
      fmt::format("the dataset's size() should be non-negative, but got {}", size));
}

void throw_nothing_to_concatenate() {
  throw InvalidOptions("datasets should not be an empty iterable: ConcatDataset got no dataset");
}

void throw_no_dataset() {
  throw InvalidOptions("a null pointer was given instead of a dataset");
}

void CumulativeSizes::append(std::size_t size) {
  std::size_t end = 0;
  if (__builtin_add_overflow(sum(), size, &end)) {
    throw InvalidOptions(fmt::format(
        "the sizes of the datasets sum up to more than 64 bits hold: {} + {}", sum(), size));
  }
  ends_.push_back(end);
}

}  // namespace forklift::detail
