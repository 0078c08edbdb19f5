// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <forklift/dtype.hpp>

namespace forklift {
namespace {

constexpr std::uint32_t kFloatSign = 0x80000000U;

// Drops `shift` low bits and rounds to nearest, ties to even. The carry may run into the exponent,
// which is right.
std::uint32_t round_off(std::uint32_t bits, unsigned shift) {
  const std::uint32_t half = (1U << (shift - 1)) - 1U;
  return (bits + half + ((bits >> shift) & 1U)) >> shift;
}

}  // namespace

std::string_view name(DType dtype) noexcept {
  constexpr std::string_view kNames[kDTypeCount] = {"bool",
                                                    "uint8",
                                                    "int8",
                                                    "uint16",
                                                    "int16",
                                                    "uint32",
                                                    "int32",
                                                    "uint64",
                                                    "int64",
                                                    "float16",
                                                    "bfloat16",
                                                    "float32",
                                                    "float64"};
  return kNames[static_cast<std::uint8_t>(dtype)];
}

Half::Half(float value) noexcept {
  const auto whole = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((whole & kFloatSign) >> 16U);
  const std::uint32_t magnitude = whole & ~kFloatSign;
  std::uint32_t out = 0;
  if (magnitude > 0x7F800000U) {
    out = 0x7E00U;  // NaN stays a quiet NaN
  } else if (magnitude >= 0x47800000U) {
    out = 0x7C00U;  // from 2^16 on: infinity
  } else if (magnitude >= 0x38800000U) {
    out = round_off(magnitude - 0x38000000U, 13);  // normal: move the exponent bias from 127 to 15
  } else {
    // Below 2^-14: a multiple of 2^-24. Adding 0.5 leaves that count, rounded, in the low bits of
    // the sum.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    out = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5F);
  }
  bits = static_cast<std::uint16_t>(out | sign);
}

Half::operator float() const noexcept {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = bits & 0x7FFFU;
  std::uint32_t out = 0;
  if (magnitude >= 0x7C00U) {
    out = 0x7F800000U | (magnitude << 13U);
  } else if (magnitude >= 0x0400U) {
    out = (magnitude << 13U) + 0x38000000U;
  } else {
    out = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24F);
  }
  return std::bit_cast<float>(out | sign);
}

BFloat16::BFloat16(float value) noexcept {
  const auto whole = std::bit_cast<std::uint32_t>(value);
  bits = std::isnan(value) ? static_cast<std::uint16_t>((whole >> 16U) | 0x0040U)
                           : static_cast<std::uint16_t>(round_off(whole, 16));
}

BFloat16::operator float() const noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

}  // namespace forklift
