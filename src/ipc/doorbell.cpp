// SPDX-License-Identifier: MIT
#include "ipc/doorbell.hpp"

#include <unistd.h>

#include <cerrno>

#include "sys/cancellation.hpp"

namespace forklift::ipc {
namespace {

// False only when the descriptor is closed. A full counter (EAGAIN) is readable already.
bool write_one(int fd) noexcept {
  const std::uint64_t one = 1;
  const sys::CancellationOff off;
  while (::write(fd, &one, sizeof one) < 0) {
    if (errno != EINTR) {
      return errno != EBADF;
    }
  }
  return true;
}

}  // namespace

void Doorbell::arm() noexcept {
  // The old value is of no interest: a ring that took it left the fd readable.
  static_cast<void>(flag_->exchange(1));
}

void Doorbell::disarm() noexcept {
  // An exchange, not a store: a store would cut the chain by which the next arm() sees what was
  // published before an earlier ring().
  static_cast<void>(flag_->exchange(0));
  // Always read: a publisher may have taken the flag long ago and written only now, so the flag
  // does not tell. A write that comes later still costs one wake-up for nothing, which the next
  // disarm() silences. Errors are the poller's to see (POLLNVAL); EAGAIN is the ordinary "not
  // rung".
  std::uint64_t rings = 0;
  const sys::CancellationOff off;
  while (::read(fd_, &rings, sizeof rings) < 0 && errno == EINTR) {
  }
}

bool Doorbell::ring() noexcept {
  // Most calls end here, without a system call: nobody sleeps.
  return flag_->exchange(0) != 1 || write_one(fd_);
}

bool Doorbell::ring_always() noexcept {
  static_cast<void>(flag_->exchange(0));  // A second ring by others would be for nothing.
  return write_one(fd_);
}

}  // namespace forklift::ipc
