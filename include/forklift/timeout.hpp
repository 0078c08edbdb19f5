// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <type_traits>

namespace forklift {

/// A length of time for an option: seconds as any number, or a chrono duration. 0 means no limit.
/// The value is kept as given; the check of the options rejects negative ones and NaN.
class Timeout {
 public:
  template <class T>
  // NOLINTNEXTLINE(google-explicit-constructor): a value made to convert
  requires(std::is_arithmetic_v<T> &&
           !std::is_same_v<std::remove_cv_t<T>, bool>) constexpr Timeout(T seconds) noexcept
      : seconds_(static_cast<double>(seconds)) {}
  template <class Rep, class Period>
  // NOLINTNEXTLINE(google-explicit-constructor): a value made to convert
  constexpr Timeout(std::chrono::duration<Rep, Period> length) noexcept
      : seconds_(std::chrono::duration<double>(length).count()) {}

  [[nodiscard]] constexpr double seconds() const noexcept { return seconds_; }

 private:
  double seconds_;
};

}  // namespace forklift
