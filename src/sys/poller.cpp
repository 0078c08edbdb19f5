// SPDX-License-Identifier: MIT
#include "sys/poller.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "sys/cancellation.hpp"
#include "sys/syscalls.hpp"

namespace forklift::sys {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

timespec time_left(steady_clock::time_point deadline) noexcept {
  const auto now = steady_clock::now();
  // Compared before it is subtracted: a deadline at either end of the clock would overflow.
  const nanoseconds left = deadline > now ? deadline - now : nanoseconds{0};
  const auto whole = std::chrono::duration_cast<seconds>(left);
  return timespec{.tv_sec = whole.count(), .tv_nsec = (left - whole).count()};
}

bool is_closed(const pollfd& fd) noexcept {
  return (fd.revents & POLLNVAL) != 0;
}

}  // namespace

Woken wait_until_ready(std::span<pollfd> fds, Deadline deadline) noexcept {
  const CancellationOff off;
  int count = 0;
  do {
    // The time left is taken anew after each signal, else a timer would put the end off for ever.
    const timespec left = deadline.has_value() ? time_left(*deadline) : timespec{};
    count = raw::poll(fds.data(), fds.size(), deadline.has_value() ? &left : nullptr);
  } while (count < 0 && errno == EINTR);
  if (count == 0) {
    return Woken::kTimedOut;
  }
  const bool is_broken = count < 0 || std::any_of(fds.begin(), fds.end(), is_closed);
  return is_broken ? Woken::kBroken : Woken::kReady;
}

}  // namespace forklift::sys
