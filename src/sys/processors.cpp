// SPDX-License-Identifier: MIT
#include "sys/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace forklift::sys {

std::size_t usable_processors() noexcept {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (::sched_getaffinity(0, sizeof mask, &mask) == 0) {
    return std::max<std::size_t>(static_cast<std::size_t>(CPU_COUNT(&mask)), 1);
  }
  // More than 1024 processors do not fit in the mask.
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

}  // namespace forklift::sys
