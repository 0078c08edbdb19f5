// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <functional>

#include "sys/child_process.hpp"
#include "sys/life_line.hpp"
#include "worker/worker_body.hpp"
#include "worker/worker_loop.hpp"

#include <forklift/detail/library_hooks.hpp>

namespace forklift::worker {

/// A worker that is a forked process.
class WorkerProcess final : public WorkerBody {
 public:
  /// Forks. The child closes its siblings' descriptors by `close_siblings`, seeds the generators
  /// and runs the loop. Errors: as sys::ChildProcess.
  WorkerProcess(const WorkerTask& task,
                const detail::LibraryHooks& hooks,
                const std::function<void()>& close_siblings);

  [[nodiscard]] int end_fd() const noexcept override { return process_.pidfd().get(); }
  [[nodiscard]] int line_fd() const noexcept override { return life_line_.fd(); }
  void lost_line() noexcept override;
  [[nodiscard]] bool wait_for_end(sys::Deadline deadline) noexcept override;
  void kill() noexcept override;
  void describe_end(WorkerDied::Record& record) override;
  [[nodiscard]] pid_t pid() const noexcept override { return process_.pid(); }

 private:
  sys::LifeLine life_line_;
  sys::ChildProcess process_;
  bool is_out_of_reach_ =
      false;  // it closed the descriptors by which it is reached, or called exec
};

}  // namespace forklift::worker
