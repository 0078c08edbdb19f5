// SPDX-License-Identifier: MIT
#include <Random123/philox.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include <forklift/detail/keyed_permutation.hpp>

namespace forklift::detail {

KeyedPermutation::KeyedPermutation(std::uint64_t size,
                                   std::uint64_t key,
                                   std::uint64_t ordinal) noexcept
    : size_(size) {
  const auto bits = static_cast<unsigned>(size == 0 ? 0 : std::bit_width(size - 1));
  rounds_ = bits < kBitsForFewest ? kMostRounds : kFewestRounds;
  low_bits_ = (bits + 1) / 2;
  low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
  high_mask_ = (std::uint64_t{1} << (bits - low_bits_)) - 1;

  using Philox = r123::Philox4x64_R<10>;
  for (std::size_t i = 0; i < rounds_; ++i) {
    const Philox::ctr_type counter{{i / 4, ordinal, 0, 0}};
    keys_[i] = Philox{}(counter, Philox::key_type{{key, 0}})[i % 4];
  }
}

}  // namespace forklift::detail
