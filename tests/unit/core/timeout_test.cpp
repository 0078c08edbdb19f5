// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include <forklift/timeout.hpp>

namespace forklift {
namespace {

static_assert(!std::is_convertible_v<bool, Timeout>);

TEST(Timeout, takes_seconds_as_any_number) {
  EXPECT_EQ(Timeout(5).seconds(), 5.0);
  EXPECT_EQ(Timeout(0.25F).seconds(), 0.25);
  EXPECT_EQ(Timeout(-1L).seconds(), -1.0);
}

TEST(Timeout, takes_a_duration_of_any_unit) {
  EXPECT_EQ(Timeout(std::chrono::milliseconds(250)).seconds(), 0.25);
  EXPECT_EQ(Timeout(std::chrono::minutes(2)).seconds(), 120.0);
  EXPECT_EQ(Timeout(std::chrono::duration<double>(1.5)).seconds(), 1.5);
}

TEST(Timeout, keeps_what_no_wait_can_take) {
  EXPECT_TRUE(std::isnan(Timeout(std::nan("")).seconds()));
  EXPECT_TRUE(std::isinf(Timeout(std::numeric_limits<double>::infinity()).seconds()));
}

}  // namespace
}  // namespace forklift
