// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <forklift/detail/mt19937.hpp>

namespace forklift::detail {

/// From so many elements on PyTorch's randperm takes 64-bit draws, and another order of swaps: 32
/// bits over n would be too uneven, (2^32 - 1) / 20.
inline constexpr std::uint64_t kWideRandperm = std::numeric_limits<std::uint32_t>::max() / 20;

/// Makes the swaps `begin` .. `end` - 1 of a randperm of less than kWideRandperm elements, with the
/// words of `engine` from there on. A list that began as 0, 1, 2, ... is final below `end` then.
/// There are out.size() - 1 swaps, with one word each.
void make_swaps(Mt19937& engine,
                std::span<std::uint32_t> out,
                std::size_t begin,
                std::size_t end) noexcept;
void make_swaps(Mt19937& engine,
                std::span<std::uint64_t> out,
                std::size_t begin,
                std::size_t end) noexcept;

}  // namespace forklift::detail
