// SPDX-License-Identifier: MIT
#include "ipc/doorbell.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "ipc/request_queue.hpp"
#include "support/shared_pages.hpp"

namespace forklift::ipc {
namespace {

class DoorbellFixture {
 public:
  DoorbellFixture() = default;
  DoorbellFixture(const DoorbellFixture&) = delete;
  DoorbellFixture& operator=(const DoorbellFixture&) = delete;
  ~DoorbellFixture() { static_cast<void>(::close(fd_)); }

  [[nodiscard]] Doorbell view() { return {&flag_, fd_}; }
  [[nodiscard]] std::uint32_t flag() const { return flag_.load(); }
  [[nodiscard]] bool is_readable() const {
    pollfd entry{.fd = fd_, .events = POLLIN, .revents = 0};
    return ::poll(&entry, 1, 0) == 1;
  }
  void write_late_ring() const { ASSERT_EQ(::eventfd_write(fd_, 1), 0); }

 private:
  std::atomic<std::uint32_t> flag_{0};
  int fd_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
};

TEST(Doorbell, costs_no_system_call_while_nobody_sleeps) {
  DoorbellFixture fixture;

  EXPECT_TRUE(fixture.view().ring());

  EXPECT_FALSE(fixture.is_readable());
}

TEST(Doorbell, wakes_a_waiter_that_armed_it) {
  DoorbellFixture fixture;
  Doorbell waiter = fixture.view();

  waiter.arm();
  EXPECT_FALSE(fixture.is_readable());
  EXPECT_TRUE(fixture.view().ring());

  EXPECT_TRUE(fixture.is_readable());
  EXPECT_EQ(fixture.flag(), 0U);
}

TEST(Doorbell, is_silent_after_disarming) {
  DoorbellFixture fixture;
  Doorbell waiter = fixture.view();
  waiter.arm();
  ASSERT_TRUE(fixture.view().ring());

  waiter.disarm();

  EXPECT_FALSE(fixture.is_readable());
  EXPECT_TRUE(fixture.view().ring());
  EXPECT_FALSE(fixture.is_readable());
}

TEST(Doorbell, does_not_stay_readable_after_a_ring_that_came_late) {
  DoorbellFixture fixture;
  Doorbell waiter = fixture.view();
  waiter.arm();
  waiter.disarm();
  fixture.write_late_ring();  // a publisher took the flag before disarm() and writes after it

  waiter.arm();
  ASSERT_TRUE(fixture.is_readable());
  waiter.disarm();

  waiter.arm();
  EXPECT_FALSE(fixture.is_readable());
}

TEST(Doorbell, wakes_without_an_armed_flag_when_told_to) {
  DoorbellFixture fixture;

  EXPECT_TRUE(fixture.view().ring_always());
  EXPECT_TRUE(fixture.is_readable());
  fixture.view().disarm();
  EXPECT_FALSE(fixture.is_readable());
}

TEST(Doorbell, reports_a_closed_descriptor) {
  std::atomic<std::uint32_t> flag{0};
  Doorbell doorbell(&flag, -1);

  EXPECT_TRUE(doorbell.ring()) << "nobody sleeps: nothing is written";
  doorbell.arm();
  EXPECT_FALSE(doorbell.ring());
  EXPECT_FALSE(doorbell.ring_always());
}

TEST(Doorbell, takes_a_full_counter_for_a_ring) {
  std::atomic<std::uint32_t> flag{0};
  const int fd = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::eventfd_write(fd, ~std::uint64_t{1}), 0);

  EXPECT_TRUE(Doorbell(&flag, fd).ring_always());

  EXPECT_EQ(::close(fd), 0);
}

Claim wait_and_claim(RequestQueue& queue, Doorbell bell) {
  while (true) {
    if (const std::optional<Claim> claim = queue.try_claim(0)) {
      return *claim;
    }
    bell.arm();
    if (!queue.has_posted()) {
      pollfd entry{.fd = bell.fd(), .events = POLLIN, .revents = 0};
      static_cast<void>(::poll(&entry, 1, -1));  // A wake-up for nothing is looked at again.
    }
    bell.disarm();
  }
}

// The other side: sends each slot id back.
void echo(const testing::SharedPages& from,
          const testing::SharedPages& to,
          Doorbell from_bell,
          Doorbell to_bell,
          std::uint32_t rounds) {
  RequestQueue input(from.data(), 4);
  RequestQueue output(to.data(), 4);
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const Claim claim = wait_and_claim(input, from_bell);
    EXPECT_EQ(output.try_post(claim.slot), std::optional<std::uint64_t>(i));
    EXPECT_TRUE(to_bell.ring());
    if (i > 0) {
      output.release(i - 1);  // Claimed, or the other side would not have posted again.
    }
  }
}

// A lost wake-up leaves both threads asleep, which the test's time limit turns into a failure.
TEST(Doorbell, loses_no_wake_up_between_two_threads_that_sleep_all_the_time) {
  constexpr std::uint32_t kRounds = 50'000;
  const testing::SharedPages there(RequestQueue::bytes(4));
  const testing::SharedPages back(RequestQueue::bytes(4));
  RequestQueue::format(there.data(), 4);
  RequestQueue::format(back.data(), 4);
  DoorbellFixture there_bell;
  DoorbellFixture back_bell;
  std::thread other(
      echo, std::cref(there), std::cref(back), there_bell.view(), back_bell.view(), kRounds);

  RequestQueue output(there.data(), 4);
  RequestQueue input(back.data(), 4);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < kRounds; ++i) {
    const std::optional<std::uint64_t> ticket = output.try_post(i);
    ASSERT_TRUE(ticket.has_value());
    ASSERT_TRUE(there_bell.view().ring());
    wrong += wait_and_claim(input, back_bell.view()).slot == i ? 0U : 1U;
    output.release(*ticket);
  }
  other.join();

  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace forklift::ipc
