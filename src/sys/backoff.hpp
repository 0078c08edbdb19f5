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
/// yields the processor for a while before it sleeps. Yielding to a process that computes gives
/// away a whole scheduler slice, which is why longer waits sleep at once.
///
/// Owner:  private memory of one waiter. Thread: one at a time.
template <class Time>
class BasicBackoff {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  static constexpr Nanoseconds kSpinsBelow{100'000};  ///< longer last waits sleep at once
  /// End of the spinning, by the clock and not by a number of yields: it must last longer than a
  /// sleeping partner takes to wake up, else one disturbance makes the two sleep by turns from then
  /// on.
  static constexpr Nanoseconds kSpinsFor{60'000};

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

  [[nodiscard]] Nanoseconds last_wait() const noexcept { return last_wait_; }

 private:
  template <class TimePoint, class Ready>
  bool spin_from(TimePoint start, Ready& ready) {
    if (last_wait_ >= kSpinsBelow) {
      return false;
    }
    do {
      Time::yield();
      if (ready()) {
        return true;
      }
    } while (Time::now() - start < kSpinsFor);
    return false;
  }

  Nanoseconds last_wait_{0};
};

using Backoff = BasicBackoff<SystemTime>;

}  // namespace forklift::sys
