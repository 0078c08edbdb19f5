// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sys/poller.hpp"
#include "sys/unique_fd.hpp"

#include <forklift/detail/fork_hooks.hpp>

namespace forklift::sys {

/// How a child ended.
struct ExitStatus {
  enum class Kind : std::uint8_t {
    kExited,    ///< `value` is the exit status
    kSignaled,  ///< `value` is the signal that killed it
    kUnknown,   ///< the host program took the status (waitpid(-1), SIGCHLD ignored)
  };
  Kind kind = Kind::kUnknown;
  int value = 0;

  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

/// What a child is to be.
struct ChildPlan {
  std::string name;         ///< of the process, at most 15 characters ("forklift:w0")
  detail::ForkHooks hooks;  ///< see there
  int parent_pidfd = -1;    ///< of the calling process, opened by it (open_pid_fd); not owned
  const void* own_pool = nullptr;  ///< the pool of the PoolRegistry that the child keeps
};

/// One forked child: owns its pidfd and its exit status.
///
/// The object belongs to the process that made it. A copy that came into another process by fork
/// does nothing there but close the descriptor.
/// Thread: one at a time; pidfd() may be polled by others.
class ChildProcess {
 public:
  /// Forks. The child sets itself up (child_setup.hpp), drops the other pools, watches its parent
  /// and leaves by _exit(body()), in no other way: no destructors, no exit handlers, no output
  /// written twice. `body` starts only when the parent holds the child's pidfd.
  ///
  /// Signal dispositions and masks of the caller are as before afterwards.
  /// Errors: SystemError ("fork", "pidfd_open"; object is plan.name), ResourceError without
  /// descriptors; no child is left then. What fails in the child shows as its exit status.
  [[nodiscard]] static ChildProcess start(const ChildPlan& plan, const std::function<int()>& body);

  ChildProcess() noexcept = default;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills (SIGKILL) and reaps, if that was not done; waits at most a few seconds for a child
  /// that the kernel cannot end.
  ~ChildProcess();

  /// The status once the child has ended, without waiting. The same again on later calls.
  [[nodiscard]] std::optional<ExitStatus> try_reap() noexcept;
  /// Waits for the end of the child until `deadline`.
  [[nodiscard]] std::optional<ExitStatus> reap_until(Deadline deadline) noexcept;
  /// Sends `signal`; false when the child has ended or is not this process's.
  bool kill(int signal) noexcept;

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  [[nodiscard]] const UniqueFd& pidfd() const noexcept { return pidfd_; }
  /// True once the child has ended, reaped or not.
  [[nodiscard]] bool is_gone() const noexcept;

 private:
  ChildProcess(pid_t pid, UniqueFd pidfd) noexcept;
  [[nodiscard]] bool is_ours() const noexcept;

  pid_t pid_ = 0;
  pid_t owner_ = 0;
  UniqueFd pidfd_;
  std::optional<ExitStatus> status_;
};

}  // namespace forklift::sys
