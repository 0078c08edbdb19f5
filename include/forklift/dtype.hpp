// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace forklift {

/// Element types of a tensor. Each but `boolean` is named by kind and width in bits.
enum class DType : std::uint8_t {
  boolean,
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  u64,
  i64,
  f16,
  bf16,
  f32,
  f64,
};

/// Number of element types; a DType read from foreign bytes must be below it.
inline constexpr std::uint8_t kDTypeCount = 13;

/// Size of one element in bytes.
[[nodiscard]] constexpr std::size_t item_size(DType dtype) noexcept {
  constexpr std::array<std::size_t, kDTypeCount> kSizes = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  return kSizes[static_cast<std::uint8_t>(dtype)];
}

/// PyTorch's name of the element type: "float32", "int64", "bool".
[[nodiscard]] std::string_view name(DType dtype) noexcept;

/// IEEE 754 half precision: 1 sign, 5 exponent and 10 fraction bits. For carrying, not for
/// arithmetic.
struct Half {
  std::uint16_t bits = 0;

  Half() = default;
  /// Rounds to nearest, ties to even; overflow becomes infinity.
  explicit Half(float value) noexcept;
  explicit operator float() const noexcept;
  friend bool operator==(Half, Half) = default;
};

/// The upper half of a float32: 1 sign, 8 exponent and 7 fraction bits. For carrying, not for
/// arithmetic.
struct BFloat16 {
  std::uint16_t bits = 0;

  BFloat16() = default;
  /// Rounds to nearest, ties to even.
  explicit BFloat16(float value) noexcept;
  explicit operator float() const noexcept;
  friend bool operator==(BFloat16, BFloat16) = default;
};

namespace detail {

template <class T>
consteval bool is_number() {
  using Value = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Value, Half> || std::is_same_v<Value, BFloat16>) {
    return true;
  } else {
    return std::is_arithmetic_v<Value> && !std::is_same_v<Value, long double>;
  }
}

template <class T>
consteval DType integer_dtype() {
  constexpr bool kSigned = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 1) {
    return kSigned ? DType::i8 : DType::u8;
  } else if constexpr (sizeof(T) == 2) {
    return kSigned ? DType::i16 : DType::u16;
  } else if constexpr (sizeof(T) == 4) {
    return kSigned ? DType::i32 : DType::u32;
  } else {
    static_assert(sizeof(T) == 8);
    return kSigned ? DType::i64 : DType::u64;
  }
}

template <class T>
consteval DType dtype_of() {
  using Value = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Value, bool>) {
    return DType::boolean;
  } else if constexpr (std::is_same_v<Value, float>) {
    return DType::f32;
  } else if constexpr (std::is_same_v<Value, double>) {
    return DType::f64;
  } else if constexpr (std::is_same_v<Value, Half>) {
    return DType::f16;
  } else if constexpr (std::is_same_v<Value, BFloat16>) {
    return DType::bf16;
  } else {
    return integer_dtype<Value>();
  }
}

}  // namespace detail

/// A C++ type that is one element of a tensor: bool, the integers (character types by size and
/// sign), float, double, Half and BFloat16. `long double` is not: no other framework reads it.
template <class T>
concept Number = detail::is_number<T>();

/// The element type that stands for a C++ type.
template <Number T>
inline constexpr DType kDTypeOf = detail::dtype_of<T>();

}  // namespace forklift
