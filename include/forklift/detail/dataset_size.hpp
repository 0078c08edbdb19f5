// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace forklift::detail {

/// Errors: InvalidOptions that shows `size`, what the size() of a dataset gave.
[[noreturn]] void throw_negative_dataset_size(std::int64_t size);

/// What the size() of a dataset gives.
/// Errors: InvalidOptions for a negative one; whatever size() throws.
template <class D>
[[nodiscard]] std::size_t dataset_size(D& dataset) {
  const auto size = dataset.size();
  if constexpr (std::signed_integral<decltype(size)>) {
    if (size < 0) {
      throw_negative_dataset_size(size);
    }
  }
  return static_cast<std::size_t>(size);
}

}  // namespace forklift::detail
