// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <functional>

namespace forklift::testing {

/// A forked child that runs one instruction at a time and can be killed between any two.
///
/// Owner:  the child is killed and reaped by kill() or the destructor, and with this process.
/// Thread: the one that made it (ptrace knows tracers by thread).
/// Errors: std::system_error when fork or ptrace is refused; std::runtime_error when the child
///         stops or ends in a way that stepping does not explain.
/// Source: ptrace(2), PTRACE_SINGLESTEP.
class SteppedChild {
 public:
  /// False where ptrace is refused (a sandbox): the caller should skip.
  [[nodiscard]] static bool is_possible();

  /// Forks. `body` must call stop_here() once; the constructor returns when the child stands there.
  explicit SteppedChild(const std::function<void()>& body);

  SteppedChild(const SteppedChild&) = delete;
  SteppedChild& operator=(const SteppedChild&) = delete;
  ~SteppedChild();

  /// Child: where counting starts. The few instructions of its return are counted.
  static void stop_here() noexcept;

  /// Runs up to `count` instructions; returns how many were run before the body was over.
  int step(int count);

  /// Runs the body to its end at full speed.
  void finish();

  /// Kills the child where it stands and returns when it is dead and reaped.
  void kill() noexcept;

  [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }

 private:
  void wait_for_stop();

  pid_t pid_ = -1;
  bool is_finished_ = false;
};

}  // namespace forklift::testing
