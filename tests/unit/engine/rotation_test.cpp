// SPDX-License-Identifier: MIT
#include "engine/rotation.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace forklift::engine {
namespace {

bool any(std::uint32_t /*which*/) {
  return true;
}

std::vector<std::uint32_t> turns(Rotation& rotation, int count) {
  std::vector<std::uint32_t> turns;
  for (; count > 0; --count) {
    turns.push_back(rotation.next(any).value());
  }
  return turns;
}

TEST(Rotation, gives_each_its_turn_from_the_first_one_on) {
  Rotation rotation(3, 1);
  EXPECT_EQ(turns(rotation, 5), (std::vector<std::uint32_t>{1, 2, 0, 1, 2}));
}

TEST(Rotation, passes_over_who_has_left) {
  Rotation rotation(3, 0);
  EXPECT_TRUE(rotation.leave(1));
  EXPECT_FALSE(rotation.leave(1));
  EXPECT_EQ(rotation.num_active(), 2U);
  EXPECT_EQ(turns(rotation, 4), (std::vector<std::uint32_t>{0, 2, 0, 2}));
}

TEST(Rotation, passes_over_who_may_not_and_goes_on_behind_who_may) {
  Rotation rotation(4, 0);
  EXPECT_EQ(rotation.next([](std::uint32_t which) { return which == 2; }), 2U);
  EXPECT_EQ(turns(rotation, 2), (std::vector<std::uint32_t>{3, 0}));
}

TEST(Rotation, has_nobody_when_all_have_left_or_none_may) {
  Rotation rotation(2, 0);
  EXPECT_EQ(rotation.next([](std::uint32_t /*which*/) { return false; }), std::nullopt);
  static_cast<void>(rotation.leave(0));
  static_cast<void>(rotation.leave(1));
  EXPECT_EQ(rotation.next(any), std::nullopt);
  EXPECT_EQ(rotation.num_active(), 0U);
}

}  // namespace
}  // namespace forklift::engine
