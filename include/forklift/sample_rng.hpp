// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace forklift {

namespace detail {
/// Errors: InvalidOptions that says that SampleRng::below needs a positive bound.
[[noreturn]] void throw_bad_bound();
}  // namespace detail

/// Random numbers of one sample, keyed by seed, epoch and index, so that they are equal for any
/// number of workers.
///
/// Every draw takes whole 64-bit words of one stream; the order of the draws is the order of the
/// calls. Cheap to make: nothing is computed before the first draw. It is a
/// UniformRandomBitGenerator, but what the standard library's distributions make of it differs from
/// one library to another; the members here do not. Thread: one at a time. Source: Philox4x64-10,
/// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (Random123); key (seed,
/// 0), counter (block, index, epoch, ordinal + 1 or 0).
class SampleRng {
 public:
  using result_type = std::uint64_t;

  /// `occurrence` is 0 where the sampler gives no index twice in an epoch, else the ordinal of the
  /// sample in the epoch + 1, so that an index that is drawn twice is augmented in two ways.
  SampleRng(std::uint64_t seed,
            std::uint64_t epoch,
            std::uint64_t index,
            std::uint64_t occurrence) noexcept
      : seed_(seed),
        counter_{0, index, epoch, occurrence} {}

  [[nodiscard]] static constexpr result_type min() noexcept { return 0; }
  [[nodiscard]] static constexpr result_type max() noexcept {
    return std::numeric_limits<result_type>::max();
  }
  result_type operator()() noexcept { return next64(); }

  /// The next word of the stream.
  std::uint64_t next64() noexcept {
    if (used_ == block_.size()) {
      refill();
    }
    return block_[used_++];
  }
  /// The high half of a word.
  std::uint32_t next32() noexcept { return static_cast<std::uint32_t>(next64() >> 32U); }
  /// Uniform in [0, 1): the top 24 bits of a word.
  float uniform_float() noexcept { return static_cast<float>(next64() >> 40U) * 0x1p-24F; }
  /// Uniform in [0, 1): the top 53 bits of a word.
  double uniform_double() noexcept { return static_cast<double>(next64() >> 11U) * 0x1p-53; }

  /// Uniform in [low, high); low where both are equal.
  float uniform(float low, float high) noexcept;
  double uniform(double low, double high) noexcept;
  /// Mixed or integer arguments: as double.
  template <class A, class B>
  requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) double uniform(A low,
                                                                             B high) noexcept {
    return uniform(static_cast<double>(low), static_cast<double>(high));
  }

  /// Uniform in 0..bound-1, without bias: the high half of word times bound, few words rejected.
  /// Errors: InvalidOptions for a bound of 0 or less.
  template <std::integral Bound>
  requires(!std::same_as<Bound, bool>) Bound below(Bound bound) {
    if (bound <= Bound{0}) {
      detail::throw_bad_bound();
    }
    return static_cast<Bound>(below64(static_cast<std::uint64_t>(bound)));
  }

  /// Normally distributed. Two words make two values; the second one is kept for the next call.
  double normal(double mean, double standard_deviation) noexcept {
    return mean + standard_deviation * standard_normal();
  }
  /// The same draw, computed as double and rounded once.
  float normal(float mean, float standard_deviation) noexcept {
    return static_cast<float>(
        normal(static_cast<double>(mean), static_cast<double>(standard_deviation)));
  }
  /// Mixed or integer arguments: as double.
  template <class A, class B>
  requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) double normal(
      A mean, B standard_deviation) noexcept {
    return normal(static_cast<double>(mean), static_cast<double>(standard_deviation));
  }

 private:
  void refill() noexcept;
  std::uint64_t below64(std::uint64_t bound) noexcept;
  double standard_normal() noexcept;

  std::uint64_t seed_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_{};
  std::size_t used_ = 4;
  std::optional<double> spare_normal_;
};

}  // namespace forklift
