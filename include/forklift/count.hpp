// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace forklift {

/// An option that counts something. Takes any integer type without narrowing and keeps a value that
/// is out of range, so that the check of the options can show it. bool does not convert, as PyTorch
/// refuses it.
class Count {
 public:
  template <std::integral T>
  // NOLINTNEXTLINE(google-explicit-constructor): a value made to convert
  requires(!std::is_same_v<std::remove_cv_t<T>, bool>) constexpr Count(T value) noexcept
      : magnitude_(value < T{0} ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                : static_cast<std::uint64_t>(value)),
        negative_(value < T{0}) {}

  [[nodiscard]] constexpr bool is_negative() const noexcept { return negative_; }
  [[nodiscard]] constexpr bool is_zero() const noexcept { return magnitude_ == 0; }
  /// The value; 0 for a negative one.
  [[nodiscard]] constexpr std::uint64_t value() const noexcept {
    return negative_ ? 0 : magnitude_;
  }
  /// As the user wrote it.
  [[nodiscard]] std::string text() const {
    std::string digits = std::to_string(magnitude_);
    if (negative_) {
      digits.insert(digits.begin(), '-');
    }
    return digits;
  }

  friend constexpr bool operator==(const Count&, const Count&) = default;

 private:
  std::uint64_t magnitude_;
  bool negative_;
};

}  // namespace forklift
