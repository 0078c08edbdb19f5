// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace forklift::sys {

/// The clock and the yield of Backoff, apart so that a test can have its own.
struct SystemTime {
  [[nodiscard]] static std::chrono::steady_clock::time_point now() noexcept;
  static void yield() noexcept;
};

/// How a thread waits for another process: spin a little, then sleep, by what the last wait cost.
///
/// Remembers the length of the last wait that was one (0 at first). Only when that was short it
/// yields the processor a few times before it sleeps. Yielding to a process that computes gives
/// away a whole scheduler slice, which is why longer waits sleep at once.
///
/// Owner:  private memory of one waiter. Thread: one at a time.
template <class Time>
class BasicBackoff {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  static constexpr Nanoseconds kSpinsBelow{100'000};  ///< longer last waits sleep at once
  static constexpr Nanoseconds kSpinsFor{30'000};     ///< end of the spinning
  static constexpr int kMostYields = 50;

  /// Returns once `ready()` is true. `sleep()` blocks until it might be, or for any other reason,
  /// and is called again as long as it is not; it arms the doorbell and looks once more itself.
  /// When `ready()` is true at once no clock is read and nothing remembered. What the two throw
  /// comes through.
  template <class Ready, class Sleep>
  void wait(Ready&& ready, Sleep&& sleep) {
    if (ready()) {
      return;
    }
    const auto start = Time::now();
    if (!spin_from(start, ready)) {
      do {
        sleep();
      } while (!ready());
    }
    last_wait_ = Time::now() - start;
  }

  /// Only the spinning: true as soon as `ready()` is. False at once when the last wait was long.
  /// A success counts as a wait; after a failure the caller reports the whole wait by remember().
  template <class Ready>
  [[nodiscard]] bool spin(Ready&& ready) {
    if (ready()) {
      return true;
    }
    const auto start = Time::now();
    if (!spin_from(start, ready)) {
      return false;
    }
    last_wait_ = Time::now() - start;
    return true;
  }

  void remember(Nanoseconds wait) noexcept { last_wait_ = wait; }
  [[nodiscard]] Nanoseconds last_wait() const noexcept { return last_wait_; }

 private:
  template <class TimePoint, class Ready>
  bool spin_from(TimePoint start, Ready& ready) {
    if (last_wait_ >= kSpinsBelow) {
      return false;
    }
    for (int yields = 0; yields < kMostYields; ++yields) {
      Time::yield();
      if (ready()) {
        return true;
      }
      if (Time::now() - start >= kSpinsFor) {
        return false;
      }
    }
    return false;
  }

  Nanoseconds last_wait_{0};
};

using Backoff = BasicBackoff<SystemTime>;

}  // namespace forklift::sys
