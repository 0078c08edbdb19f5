// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <forklift/detail/mt19937.hpp>
#include <forklift/detail/random_swaps.hpp>

namespace forklift::detail {
namespace {

template <class T>
void swap_all(Mt19937& engine, std::span<T> out, std::size_t first, std::size_t last) noexcept {
  // Where each swap goes is known before the swaps are made, so the cache misses of a block of them
  // can overlap.
  constexpr std::uint32_t kAhead = 64;
  std::array<std::uint32_t, kAhead> targets{};
  const auto count = static_cast<std::uint32_t>(out.size());
  const auto end = static_cast<std::uint32_t>(last);
  for (auto begin = static_cast<std::uint32_t>(first); begin < end; begin += kAhead) {
    const std::uint32_t block = std::min(kAhead, end - begin);
    for (std::uint32_t k = 0; k < block; ++k) {
      const std::uint32_t i = begin + k;
      targets[k] = i + engine.next() % (count - i);
      __builtin_prefetch(&out[targets[k]], 1);
    }
    for (std::uint32_t k = 0; k < block; ++k) {
      std::swap(out[begin + k], out[targets[k]]);
    }
  }
}

}  // namespace

void make_swaps(Mt19937& engine,
                std::span<std::uint32_t> out,
                std::size_t begin,
                std::size_t end) noexcept {
  swap_all(engine, out, begin, end);
}

void make_swaps(Mt19937& engine,
                std::span<std::uint64_t> out,
                std::size_t begin,
                std::size_t end) noexcept {
  swap_all(engine, out, begin, end);
}

}  // namespace forklift::detail
