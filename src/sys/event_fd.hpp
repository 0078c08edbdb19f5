// SPDX-License-Identifier: MIT
#pragma once

#include "sys/unique_fd.hpp"

namespace forklift::sys {

/// An eventfd used as a bell: ringing makes it readable until it is drained. Non-blocking,
/// close-on-exec; shared by the processes that have it open.
///
/// Thread: ring() and drain() from any thread and process.
class EventFd {
 public:
  /// Errors: ResourceError naming `ulimit -n`, SystemError.
  EventFd();

  /// False when the descriptor is closed. A bell that rings already stays so.
  [[nodiscard]] bool ring() const noexcept;
  /// Silences the bell. Nothing to do when it does not ring.
  void drain() const noexcept;
  void close() noexcept { fd_.reset(); }

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }

 private:
  UniqueFd fd_;
};

}  // namespace forklift::sys
