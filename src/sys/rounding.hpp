// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace forklift::sys {

/// The least multiple of `unit` that is not below `value`; the sum of both must fit in 64 bits.
[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) noexcept {
  return (value + unit - 1) / unit * unit;
}

/// The greatest multiple of `unit` that is not above `value`.
[[nodiscard]] constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t unit) noexcept {
  return value / unit * unit;
}

}  // namespace forklift::sys
