// SPDX-License-Identifier: MIT
#include "sys/event_fd.hpp"

#include <array>
#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "sys/poller.hpp"

namespace forklift::sys {
namespace {

bool rings(const EventFd& bell) {
  std::array fds{readable(bell.fd())};
  return wait_until_ready(fds, std::chrono::steady_clock::time_point{}) == Woken::kReady;
}

TEST(EventFd, is_silent_at_first) {
  const EventFd bell;

  EXPECT_FALSE(rings(bell));
}

TEST(EventFd, rings_until_it_is_drained) {
  const EventFd bell;

  EXPECT_TRUE(bell.ring());
  EXPECT_TRUE(bell.ring());
  EXPECT_TRUE(rings(bell));
  EXPECT_TRUE(rings(bell));
  bell.drain();

  EXPECT_FALSE(rings(bell));
}

TEST(EventFd, draining_a_silent_bell_does_not_block) {
  const EventFd bell;

  bell.drain();

  EXPECT_FALSE(rings(bell));
}

TEST(EventFd, ringing_a_full_counter_does_not_block) {
  const EventFd bell;
  const std::uint64_t most = ~std::uint64_t{0} - 1;
  ASSERT_EQ(::write(bell.fd(), &most, sizeof most), static_cast<ssize_t>(sizeof most));

  EXPECT_TRUE(bell.ring());
}

TEST(EventFd, a_closed_bell_says_so) {
  EventFd bell;

  bell.close();

  EXPECT_FALSE(bell.ring());
  EXPECT_EQ(bell.fd(), -1);
}

TEST(EventFd, is_heard_in_another_process) {
  const EventFd bell;

  const int status = test_support::run_in_child([&] { return bell.ring() ? 0 : 1; });

  EXPECT_EQ(status, 0);
  EXPECT_TRUE(rings(bell));
}

}  // namespace
}  // namespace forklift::sys
