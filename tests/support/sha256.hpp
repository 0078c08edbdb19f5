// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace forklift::test {

/// SHA-256 of a stream of little-endian words, to compare long lists with their recorded hashes.
/// Source: FIPS 180-4.
class Sha256 {
 public:
  void add_byte(std::uint8_t byte) {
    block_[used_++] = byte;
    ++bytes_;
    if (used_ == block_.size()) {
      compress();
      used_ = 0;
    }
  }

  /// Adds `word` with its lowest byte first.
  template <class Word>
  void add(Word word) {
    for (std::size_t i = 0; i < sizeof(Word); ++i) {
      add_byte(static_cast<std::uint8_t>(static_cast<std::uint64_t>(word) >> (8 * i)));
    }
  }

  /// Ends the stream. 64 lower-case hexadecimal digits.
  std::string hex() {
    const std::uint64_t bits = bytes_ * 8;
    add_byte(0x80);
    while (used_ != 56) {
      add_byte(0);
    }
    for (unsigned shift = 64; shift != 0; shift -= 8) {
      add_byte(static_cast<std::uint8_t>(bits >> (shift - 8)));
    }
    std::string text;
    for (const std::uint32_t word : state_) {
      for (unsigned shift = 32; shift != 0; shift -= 4) {
        text += "0123456789abcdef"[(word >> (shift - 4)) & 15U];
      }
    }
    return text;
  }

 private:
  void compress() {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        w[i] = (w[i] << 8U) | block_[4 * i + k];
      }
    }
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15];
      const std::uint32_t b = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) + w[i - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
    }
    auto s = state_;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t first = s[7] +
                                  (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                                  ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRound[i] + w[i];
      const std::uint32_t second =
          (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) +
          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
    }
    for (std::size_t i = 0; i < s.size(); ++i) {
      state_[i] += s[i];
    }
  }

  static constexpr std::array<std::uint32_t, 64> kRound{
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
      0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
      0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
      0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
      0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
      0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};
  std::array<std::uint32_t, 8> state_{0x6a09e667,
                                      0xbb67ae85,
                                      0x3c6ef372,
                                      0xa54ff53a,
                                      0x510e527f,
                                      0x9b05688c,
                                      0x1f83d9ab,
                                      0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::size_t used_ = 0;
  std::uint64_t bytes_ = 0;
};

/// The hash of `values`, each cast to `As`.
template <class As, class Range>
std::string sha256_of(const Range& values) {
  Sha256 hash;
  for (const auto& value : values) {
    hash.add(static_cast<As>(value));
  }
  return hash.hex();
}

}  // namespace forklift::test
