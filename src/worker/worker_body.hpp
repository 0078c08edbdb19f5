// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>

#include "sys/poller.hpp"

#include <forklift/error.hpp>

namespace forklift::worker {

/// What runs a worker's loop: a process or a thread. It is told to leave through the ring; ending
/// before that is its death.
///
/// The destructor ends it and waits for that. In another process than the one that made it, it only
/// lets go of descriptors. Thread: one at a time.
class WorkerBody {
 public:
  WorkerBody() = default;
  WorkerBody(const WorkerBody&) = delete;
  WorkerBody& operator=(const WorkerBody&) = delete;
  virtual ~WorkerBody() = default;

  /// Readable once it has ended.
  [[nodiscard]] virtual int end_fd() const noexcept = 0;
  /// Hangs up when it may still run but cannot be reached any more; -1: never.
  [[nodiscard]] virtual int line_fd() const noexcept = 0;
  /// line_fd() has hung up.
  virtual void lost_line() noexcept = 0;

  /// Waits until it has ended, or until `deadline`.
  [[nodiscard]] virtual bool wait_for_end(sys::Deadline deadline) noexcept = 0;
  /// Ends a process by force. A thread cannot be ended: it counts as dead from now on.
  virtual void kill() noexcept = 0;
  /// Writes down how it ended, or was lost. Waits for the end of a process.
  virtual void describe_end(WorkerDied::Record& record) = 0;

  /// Of the process that it is, or belongs to.
  [[nodiscard]] virtual pid_t pid() const noexcept = 0;
};

}  // namespace forklift::worker
