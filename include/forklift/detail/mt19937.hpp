// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace forklift::detail {

/// The 32-bit Mersenne Twister with the 2002 initialisation; the same words as std::mt19937.
///
/// It is our own because the raw words are needed to exchange states with PyTorch, which
/// std::mt19937 shows only as text, and because a constexpr constructor allows a constinit default
/// engine. Not seeded until seed() is called. Thread: one at a time. Source: M. Matsumoto and T.
/// Nishimura, mt19937ar (2002).
struct Mt19937 {
  static constexpr std::size_t kWords = 624;
  /// Value of `position` between seed() and the first draw.
  static constexpr std::size_t kFresh = kWords + 1;

  /// The state before tempering.
  std::array<std::uint32_t, kWords> words{};
  /// Words of the block that were given out; kWords or more: the next draw makes a new block.
  std::size_t position = kFresh;

  /// Starts the stream of `seed`. PyTorch takes the low 32 bits of its 64-bit seeds.
  void seed(std::uint32_t seed) noexcept;

  /// The next word.
  std::uint32_t next() noexcept {
    if (position >= kWords) {
      refill();
    }
    std::uint32_t word = words[position++];
    word ^= word >> 11U;
    word ^= (word << 7U) & 0x9d2c5680U;
    word ^= (word << 15U) & 0xefc60000U;
    return word ^ (word >> 18U);
  }

  /// The next two words, the first one in the high half.
  std::uint64_t next64() noexcept {
    const std::uint64_t high = next();
    return (high << 32U) | next();
  }

  /// Skips `count` words.
  void discard(std::uint64_t count) noexcept;

 private:
  void refill() noexcept;
};

}  // namespace forklift::detail
