// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/dtype.hpp>

namespace forklift {
namespace {

static_assert(kDTypeOf<bool> == DType::boolean && kDTypeOf<char16_t> == DType::u16);
static_assert(kDTypeOf<unsigned char> == DType::u8 && kDTypeOf<signed char> == DType::i8);
static_assert(kDTypeOf<char> == (std::is_signed_v<char> ? DType::i8 : DType::u8));
static_assert(kDTypeOf<long> == DType::i64 && kDTypeOf<long long> == DType::i64);
static_assert(kDTypeOf<unsigned long long> == DType::u64 && kDTypeOf<const float> == DType::f32);
static_assert(kDTypeOf<Half> == DType::f16 && kDTypeOf<BFloat16> == DType::bf16);
static_assert(Number<double> && !Number<long double> && !Number<int*> && !Number<std::string>);
static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2);

// The value of 16 bits by the definition of the format, not by any trick.
float value_of(std::uint16_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double scale = std::ldexp(1.0, -fraction_bits);
  double value = 0;
  if (exponent == (1 << exponent_bits) - 1) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  } else if (exponent == 0) {
    value = std::ldexp(fraction * scale, 1 - bias);
  } else {
    value = std::ldexp(1 + fraction * scale, exponent - bias);
  }
  return static_cast<float>((bits & 0x8000) != 0 ? -value : value);
}

// Checks the conversion of floats at each border between two neighbours of the format: the exact
// middle goes to the even one, the floats beside the middle to the nearer one.
template <class T>
void expect_nearest_even_at_every_border(std::uint16_t infinity) {
  for (std::uint16_t low = 0; low + 1 < infinity; ++low) {
    const std::uint16_t high = static_cast<std::uint16_t>(low + 1);
    const double below = static_cast<float>(std::bit_cast<T>(low));
    const double above = static_cast<float>(std::bit_cast<T>(high));
    const auto middle = static_cast<float>((below + above) / 2);
    const std::uint16_t even = low % 2 == 0 ? low : high;
    ASSERT_EQ(T(middle).bits, even) << low;
    ASSERT_EQ(T(std::nextafter(middle, 0.0F)).bits, low) << low;
    ASSERT_EQ(T(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits, high) << low;
    ASSERT_EQ(T(-middle).bits, even | 0x8000) << low;
  }
}

TEST(DType, has_the_names_of_pytorch) {
  const std::vector<std::string> names{"bool",
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
  ASSERT_EQ(names.size(), kDTypeCount);
  for (std::uint8_t i = 0; i < kDTypeCount; ++i) {
    EXPECT_EQ(name(static_cast<DType>(i)), names[i]);
  }
}

TEST(DType, knows_the_size_of_an_element) {
  const std::vector<std::size_t> sizes{1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  for (std::uint8_t i = 0; i < kDTypeCount; ++i) {
    EXPECT_EQ(item_size(static_cast<DType>(i)), sizes[i]);
  }
}

TEST(Half, has_the_value_that_the_format_defines) {
  for (std::uint32_t bits = 0; bits <= UINT16_MAX; ++bits) {
    const auto half = std::bit_cast<Half>(static_cast<std::uint16_t>(bits));
    const float expected = value_of(half.bits, 5, 10);
    const auto value = static_cast<float>(half);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected))
          << bits;
    }
  }
}

TEST(Half, comes_back_unchanged_from_a_float) {
  for (std::uint32_t bits = 0; bits <= UINT16_MAX; ++bits) {
    const auto half = std::bit_cast<Half>(static_cast<std::uint16_t>(bits));
    const auto value = static_cast<float>(half);
    if (!std::isnan(value)) {
      ASSERT_EQ(Half(value), half) << bits;
    } else {
      ASSERT_TRUE(std::isnan(static_cast<float>(Half(value)))) << bits;
    }
  }
}

TEST(Half, rounds_to_nearest_even_at_every_border) {
  expect_nearest_even_at_every_border<Half>(0x7C00);
}

TEST(Half, overflows_to_infinity_from_halfway_beyond_the_largest) {
  EXPECT_EQ(Half(65504.0F).bits, 0x7BFF);
  EXPECT_EQ(Half(std::nextafter(65520.0F, 0.0F)).bits, 0x7BFF);
  EXPECT_EQ(Half(65520.0F).bits, 0x7C00);
  EXPECT_EQ(Half(-std::numeric_limits<float>::max()).bits, 0xFC00);
  EXPECT_EQ(Half(std::numeric_limits<float>::infinity()).bits, 0x7C00);
}

TEST(Half, keeps_the_sign_of_what_is_too_small) {
  EXPECT_EQ(Half(std::numeric_limits<float>::denorm_min()).bits, 0x0000);
  EXPECT_EQ(Half(-std::numeric_limits<float>::denorm_min()).bits, 0x8000);
  EXPECT_EQ(Half(-0.0F).bits, 0x8000);
}

TEST(BFloat16, has_the_value_that_the_format_defines) {
  for (std::uint32_t bits = 0; bits <= UINT16_MAX; ++bits) {
    const auto value16 = std::bit_cast<BFloat16>(static_cast<std::uint16_t>(bits));
    const float expected = value_of(value16.bits, 8, 7);
    const auto value = static_cast<float>(value16);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected))
          << bits;
    }
  }
}

TEST(BFloat16, comes_back_unchanged_from_a_float) {
  for (std::uint32_t bits = 0; bits <= UINT16_MAX; ++bits) {
    const auto value16 = std::bit_cast<BFloat16>(static_cast<std::uint16_t>(bits));
    const auto value = static_cast<float>(value16);
    if (!std::isnan(value)) {
      ASSERT_EQ(BFloat16(value), value16) << bits;
    } else {
      ASSERT_TRUE(std::isnan(static_cast<float>(BFloat16(value)))) << bits;
    }
  }
}

TEST(BFloat16, rounds_to_nearest_even_at_every_border) {
  expect_nearest_even_at_every_border<BFloat16>(0x7F80);
}

TEST(BFloat16, keeps_a_nan_whose_upper_bits_are_those_of_infinity) {
  const auto nan = std::bit_cast<float>(0x7F800001U);

  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(nan))));
  EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
}

TEST(Half, is_no_farther_from_a_random_float_than_its_neighbours) {
  constexpr std::uint32_t kSeed = 20240;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<float> exponents(-26.0F, 15.9F);
  for (int i = 0; i < 100'000; ++i) {
    const float value = std::exp2(exponents(random));
    const Half half(value);
    const double distance = std::abs(static_cast<double>(static_cast<float>(half)) - value);
    for (const int step : {-1, 1}) {
      if (step == 1 || half.bits != 0) {
        const auto beside = std::bit_cast<Half>(static_cast<std::uint16_t>(half.bits + step));
        ASSERT_LE(distance, std::abs(static_cast<double>(static_cast<float>(beside)) - value))
            << value;
      }
    }
  }
}

}  // namespace
}  // namespace forklift
