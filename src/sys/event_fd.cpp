// SPDX-License-Identifier: MIT
#include "sys/event_fd.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "sys/cancellation.hpp"
#include "sys/resource_limits.hpp"
#include "sys/syscalls.hpp"

namespace forklift::sys {

EventFd::EventFd() : fd_(raw::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!fd_.is_open()) {
    throw_system_error("eventfd", "doorbell", errno);
  }
}

bool EventFd::ring() const noexcept {
  const std::uint64_t one = 1;
  const CancellationOff off;
  while (::write(fd_.get(), &one, sizeof one) < 0) {
    if (errno != EINTR) {
      return errno == EAGAIN;  // The counter is full: it rings already.
    }
  }
  return true;
}

void EventFd::drain() const noexcept {
  std::uint64_t rings = 0;
  // EAGAIN is the ordinary "does not ring"; a closed descriptor is the poller's to see.
  const CancellationOff off;
  while (::read(fd_.get(), &rings, sizeof rings) < 0 && errno == EINTR) {
  }
}

}  // namespace forklift::sys
