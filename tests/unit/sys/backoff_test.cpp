// SPDX-License-Identifier: MIT
#include "sys/backoff.hpp"

#include <chrono>
#include <stdexcept>

#include <gtest/gtest.h>

namespace forklift::sys {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

// A clock that only a yield or a sleep of the test moves.
struct FakeTime {
  static inline constinit steady_clock::time_point time{};
  static inline constinit microseconds yield_costs{0};
  static inline constinit int num_yields = 0;
  static inline constinit int num_looks = 0;

  static steady_clock::time_point now() noexcept {
    ++num_looks;
    return time;
  }
  static void yield() noexcept {
    ++num_yields;
    time += yield_costs;
  }
  static void reset(microseconds costs) noexcept {
    time = steady_clock::time_point{};
    yield_costs = costs;
    num_yields = 0;
    num_looks = 0;
  }
};

using FakeBackoff = BasicBackoff<FakeTime>;

// One whole wait in which only the first sleep, of `length`, brings the end.
void sleep_once(FakeBackoff& backoff, microseconds length) {
  bool is_ready = false;
  backoff.wait([&] { return is_ready; },
               [&] {
                 FakeTime::time += length;
                 is_ready = true;
               });
}

TEST(Backoff, reads_no_clock_when_there_is_nothing_to_wait_for) {
  FakeTime::reset(microseconds(1));
  FakeBackoff backoff;
  backoff.wait([] { return FakeTime::num_yields == 7; }, [] { FAIL() << "slept"; });
  FakeTime::reset(microseconds(1));

  backoff.wait([] { return true; }, [] { FAIL() << "slept"; });

  EXPECT_EQ(FakeTime::num_looks, 0);
  EXPECT_EQ(FakeTime::num_yields, 0);
  EXPECT_EQ(backoff.last_wait(), microseconds(7));
}

TEST(Backoff, spins_first_in_its_first_wait) {
  FakeTime::reset(microseconds(1));
  FakeBackoff backoff;

  backoff.wait([] { return FakeTime::num_yields == 3; }, [] { FAIL() << "slept"; });

  EXPECT_EQ(FakeTime::num_yields, 3);
  EXPECT_EQ(backoff.last_wait(), microseconds(3));
}

TEST(Backoff, stops_spinning_after_sixty_microseconds) {
  FakeTime::reset(microseconds(7));
  FakeBackoff backoff;

  sleep_once(backoff, microseconds(1));

  EXPECT_EQ(FakeTime::num_yields, 9);
  EXPECT_EQ(backoff.last_wait(), microseconds(64));
}

TEST(Backoff, sleeps_at_once_after_a_long_wait_and_spins_again_after_a_short_one) {
  FakeTime::reset(microseconds(1));
  FakeBackoff backoff;
  sleep_once(backoff, microseconds(40));  // after 60 of spinning
  EXPECT_EQ(backoff.last_wait(), microseconds(100));
  FakeTime::num_yields = 0;

  sleep_once(backoff, microseconds(99));
  EXPECT_EQ(FakeTime::num_yields, 0);
  EXPECT_EQ(backoff.last_wait(), microseconds(99));
  sleep_once(backoff, microseconds(1));

  EXPECT_GT(FakeTime::num_yields, 0);
}

TEST(Backoff, one_yield_that_costs_a_slice_makes_the_next_wait_sleep) {
  FakeTime::reset(microseconds(1000));
  FakeBackoff backoff;
  backoff.wait([] { return FakeTime::num_yields == 1; }, [] { FAIL() << "slept"; });
  FakeTime::num_yields = 0;

  sleep_once(backoff, microseconds(10));

  EXPECT_EQ(FakeTime::num_yields, 0);
}

TEST(Backoff, sleeps_again_when_it_was_woken_for_nothing) {
  FakeTime::reset(microseconds(10));
  FakeBackoff backoff;
  int num_sleeps = 0;

  backoff.wait([&] { return num_sleeps == 4; },
               [&] {
                 ++num_sleeps;
                 FakeTime::time += microseconds(50);
               });

  EXPECT_EQ(num_sleeps, 4);
  EXPECT_EQ(backoff.last_wait(), microseconds(60 + 4 * 50));
}

TEST(Backoff, lets_through_what_the_sleep_throws) {
  FakeTime::reset(microseconds(1));
  FakeBackoff backoff;
  sleep_once(backoff, microseconds(500));
  const auto before = backoff.last_wait();

  EXPECT_THROW(backoff.wait([] { return false; }, [] { throw std::runtime_error("out"); }),
               std::runtime_error);

  EXPECT_EQ(backoff.last_wait(), before);
}

}  // namespace
}  // namespace forklift::sys
