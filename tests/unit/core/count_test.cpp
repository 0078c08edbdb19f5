// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include <forklift/count.hpp>

namespace forklift {
namespace {

static_assert(std::is_convertible_v<int, Count> && std::is_convertible_v<std::uint8_t, Count>);
static_assert(!std::is_convertible_v<bool, Count> && !std::is_convertible_v<double, Count>);
static_assert(!std::is_constructible_v<Count, const bool>);

TEST(Count, takes_any_integer_without_narrowing) {
  EXPECT_EQ(Count(std::uint64_t{UINT64_MAX}).value(), UINT64_MAX);
  EXPECT_EQ(Count(std::int8_t{127}).value(), 127U);
  EXPECT_EQ(Count(0), Count(std::size_t{0}));
  EXPECT_EQ(Count(5), Count(5ULL));
  EXPECT_TRUE(Count(0U).is_zero());
}

TEST(Count, keeps_a_negative_value_for_the_message) {
  EXPECT_TRUE(Count(-1).is_negative());
  EXPECT_EQ(Count(-1).value(), 0U);
  EXPECT_EQ(Count(-1).text(), "-1");
  EXPECT_EQ(Count(INT64_MIN).text(), "-9223372036854775808");
  EXPECT_EQ(Count(std::int8_t{-128}).text(), "-128");
  EXPECT_FALSE(Count(-1).is_zero());
}

TEST(Count, tells_a_negative_value_from_the_positive_one) {
  EXPECT_NE(Count(-1), Count(1));
  EXPECT_NE(Count(-1), Count(UINT64_MAX));
  EXPECT_EQ(Count(UINT64_MAX).text(), "18446744073709551615");
}

}  // namespace
}  // namespace forklift
