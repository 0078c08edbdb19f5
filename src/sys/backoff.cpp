// SPDX-License-Identifier: MIT
#include "sys/backoff.hpp"

#include <sched.h>

namespace forklift::sys {

std::chrono::steady_clock::time_point SystemTime::now() noexcept {
  return std::chrono::steady_clock::now();
}

void SystemTime::yield() noexcept {
  static_cast<void>(::sched_yield());  // Always succeeds on Linux.
}

}  // namespace forklift::sys
