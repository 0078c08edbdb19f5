// SPDX-License-Identifier: MIT
#include "sys/poller.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

#include <gtest/gtest.h>

#include "sys/event_fd.hpp"

namespace forklift::sys {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constinit std::atomic<int> num_signals{0};

// Interrupts every blocking call of this process a thousand times a second.
class TimerRig {
 public:
  TimerRig() {
    struct sigaction action {};
    action.sa_handler = [](int) { ++num_signals; };
    EXPECT_EQ(::sigaction(SIGALRM, &action, &old_), 0);
    set(1000);
  }
  TimerRig(const TimerRig&) = delete;
  TimerRig& operator=(const TimerRig&) = delete;
  ~TimerRig() {
    set(0);
    ::sigaction(SIGALRM, &old_, nullptr);
  }

 private:
  static void set(suseconds_t period) {
    const itimerval timer{.it_interval = {0, period}, .it_value = {0, period}};
    EXPECT_EQ(::setitimer(ITIMER_REAL, &timer, nullptr), 0);
  }

  struct sigaction old_ {};
};

TEST(Poller, with_a_past_deadline_still_looks_once) {
  const EventFd silent;
  const EventFd ringing;
  static_cast<void>(ringing.ring());
  std::array fds{readable(silent.fd()), readable(ringing.fd())};

  const Woken woken = wait_until_ready(fds, steady_clock::time_point{});

  EXPECT_EQ(woken, Woken::kReady);
  EXPECT_EQ(fds[0].revents, 0);
  EXPECT_EQ(fds[1].revents, POLLIN);
}

TEST(Poller, times_out_at_a_past_deadline_at_once) {
  const EventFd silent;
  std::array fds{readable(silent.fd())};

  EXPECT_EQ(wait_until_ready(fds, steady_clock::time_point{}), Woken::kTimedOut);
  EXPECT_EQ(wait_until_ready(fds, steady_clock::time_point::min()), Woken::kTimedOut);
}

TEST(Poller, never_times_out_before_its_deadline) {
  const EventFd silent;
  for (const int microseconds : {1, 300, 999, 1001, 2500}) {
    std::array fds{readable(silent.fd())};
    const auto deadline = steady_clock::now() + std::chrono::microseconds(microseconds);

    EXPECT_EQ(wait_until_ready(fds, deadline), Woken::kTimedOut);

    EXPECT_GE(steady_clock::now(), deadline);
  }
}

TEST(Poller, takes_the_farthest_deadline_as_for_ever) {
  const EventFd ringing;
  static_cast<void>(ringing.ring());
  std::array fds{readable(ringing.fd())};

  EXPECT_EQ(wait_until_ready(fds, steady_clock::time_point::max()), Woken::kReady);
}

TEST(Poller, signals_neither_end_a_wait_nor_make_it_longer) {
  const EventFd silent;
  std::array fds{readable(silent.fd())};
  const TimerRig rig;
  const auto start = steady_clock::now();

  const Woken woken = wait_until_ready(fds, start + milliseconds(200));

  const auto waited = steady_clock::now() - start;
  EXPECT_EQ(woken, Woken::kTimedOut);
  EXPECT_GT(num_signals.load(), 10);
  EXPECT_GE(waited, milliseconds(200));
  EXPECT_LT(waited, milliseconds(2000));
}

TEST(Poller, reports_a_closed_descriptor_as_broken) {
  const EventFd ringing;
  static_cast<void>(ringing.ring());
  const int number = ::dup(ringing.fd());
  ::close(number);
  std::array fds{readable(number), readable(ringing.fd())};

  EXPECT_EQ(wait_until_ready(fds, std::nullopt), Woken::kBroken);
  EXPECT_EQ(fds[0].revents, POLLNVAL);
  EXPECT_EQ(fds[1].revents, POLLIN);
}

TEST(Poller, ignores_negative_descriptors) {
  std::array fds{readable(-1)};

  EXPECT_EQ(wait_until_ready(fds, steady_clock::time_point{}), Woken::kTimedOut);
}

TEST(Poller, hears_the_end_of_a_pipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  std::array fds{readable(reader.get())};

  writer.reset();

  EXPECT_EQ(wait_until_ready(fds, std::nullopt), Woken::kReady);
  EXPECT_EQ(fds[0].revents & POLLHUP, POLLHUP);
}

}  // namespace
}  // namespace forklift::sys
