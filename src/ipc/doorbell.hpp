// SPDX-License-Identifier: MIT
#pragma once

// How a process sleeps without missing what another publishes, and how nobody pays for a system
// call while nobody sleeps.
//
// Waiter:    arm(), look again, poll the fd when there is still nothing, disarm() in any case.
// Publisher: publish by a seq_cst read-modify-write, then ring().
//
// Why no wake-up is lost: the flag is only ever exchanged, and exchanges of one flag have one
// order. If the waiter's comes first, the publisher reads 1 and writes the eventfd. If the
// publisher's comes first, the waiter's exchange reads what it or a later one wrote and so
// synchronises with it: the second look sees the published word. One waiter a doorbell: with two,
// one read would swallow the ring of the other.

#include <atomic>
#include <cstdint>

namespace forklift::ipc {

/// A waiter flag in shared memory and the number of an eventfd that both sides hold.
///
/// Owner:  neither flag nor fd is owned. The fd must be non-blocking. The flag starts as 0: nobody
/// sleeps. Thread: arm() and disarm() from the one waiter; ring functions from anybody.
class Doorbell {
 public:
  Doorbell(std::atomic<std::uint32_t>* flag, int event_fd) noexcept : flag_(flag), fd_(event_fd) {}

  /// Waiter: announces that it is about to sleep. It must look for work once more before it polls.
  void arm() noexcept;

  /// Waiter: it woke up, or the second look found work. Silences the fd; look again before
  /// sleeping.
  void disarm() noexcept;

  /// Publisher: wakes the waiter if it sleeps. False: the descriptor is closed (EBADF).
  [[nodiscard]] bool ring() noexcept;

  /// Wakes the waiter even if it did not announce its sleep, as after a death: the dead may have
  /// taken the announcement and not rung. False: the descriptor is closed (EBADF).
  [[nodiscard]] bool ring_always() noexcept;

  /// What the waiter polls for POLLIN.
  [[nodiscard]] int fd() const noexcept { return fd_; }

 private:
  std::atomic<std::uint32_t>* flag_;
  int fd_;
};

}  // namespace forklift::ipc
