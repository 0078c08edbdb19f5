// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <forklift/count.hpp>

/// Checks that the compositions of datasets have in common, and their errors.
namespace forklift::detail {

/// The one size of all `parts` ("datasets", "tensors").
/// Errors: InvalidOptions in PyTorch's words, with the first two sizes that differ.
[[nodiscard]] std::size_t common_size(std::string_view parts, std::span<const std::size_t> sizes);

/// The index that `index` stands for: negative ones count from the end.
/// Errors: InvalidOptions for one before the start. One behind the end is for the getter to refuse.
[[nodiscard]] std::size_t count_from_end(std::string_view dataset,
                                         std::int64_t index,
                                         std::size_t size);

/// The size of a ShuffleBuffer.
/// Errors: InvalidOptions for 0 or less.
[[nodiscard]] std::size_t positive_buffer_size(const Count& size);

/// Errors: InvalidOptions that shows an index of at least `size`, and which dataset was asked.
[[noreturn]] void throw_index_out_of_range(std::string_view dataset,
                                           std::size_t index,
                                           std::size_t size);
/// Errors: InvalidOptions that shows an index of a Subset which its dataset does not have.
[[noreturn]] void throw_subset_index(const Count& index, std::size_t position, std::size_t size);
/// Errors: TensorError that shows how many samples get_batch() should have given.
[[noreturn]] void throw_bulk_count(std::size_t expected, std::size_t got);
/// Errors: InvalidOptions, for a scalar.
[[noreturn]] void throw_tensor_without_rows();
/// Errors: InvalidOptions, for an empty list of datasets.
[[noreturn]] void throw_nothing_to_concatenate();
/// Errors: InvalidOptions, for a null pointer.
[[noreturn]] void throw_no_dataset();

}  // namespace forklift::detail
