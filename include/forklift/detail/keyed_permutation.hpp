// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace forklift::detail {

/// A permutation of 0..size-1 that a key decides, computed for one position at a time without a
/// table.
///
/// A Feistel network over the least power of two that holds `size`, applied again to a result that
/// is too large: twice on average at worst. Memory: none. Thread: any. Source: J. Black and P.
/// Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002 (cycle walking). The round keys
/// are Philox4x64-10, key (key, 0), counter (block, ordinal, 0, 0); the round function is the
/// multiplications of D. Stafford's "Mix13", as in SplitMix64. Good for shuffling, not for secrets.
class KeyedPermutation {
 public:
  /// Of nothing.
  KeyedPermutation() = default;
  /// `ordinal` tells permutations of the same key apart.
  KeyedPermutation(std::uint64_t size, std::uint64_t key, std::uint64_t ordinal) noexcept;

  /// Where `position` goes; it must be less than `size`.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t position) const noexcept {
    do {
      position = encrypt(position);
    } while (position >= size_);
    return position;
  }

 private:
  // Few elements need more rounds: with 10 of them each permutation of 4 elements is within 0.4 %
  // of as likely as the others.
  static constexpr std::size_t kMostRounds = 10;
  static constexpr std::size_t kFewestRounds = 6;
  static constexpr unsigned kBitsForFewest = 20;

  [[nodiscard]] std::uint64_t encrypt(std::uint64_t value) const noexcept {
    std::uint64_t low = value & low_mask_;
    std::uint64_t high = value >> low_bits_;
    for (std::size_t round = 0; round < rounds_; round += 2) {
      high ^= mix(low + keys_[round]) & high_mask_;
      low ^= mix(high + keys_[round + 1]) & low_mask_;
    }
    return (high << low_bits_) | low;
  }
  /// 32 bits.
  [[nodiscard]] static std::uint64_t mix(std::uint64_t value) noexcept {
    value *= 0xbf58476d1ce4e5b9U;
    value ^= value >> 32U;
    value *= 0x94d049bb133111ebU;
    return value >> 32U;
  }

  std::uint64_t size_ = 0;
  std::size_t rounds_ = kMostRounds;
  unsigned low_bits_ = 0;
  std::uint64_t low_mask_ = 0;
  std::uint64_t high_mask_ = 0;
  std::array<std::uint64_t, kMostRounds> keys_{};
};

}  // namespace forklift::detail
