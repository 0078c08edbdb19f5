// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <thread>

#include "sys/event_fd.hpp"
#include "worker/worker_body.hpp"
#include "worker/worker_loop.hpp"

#include <forklift/detail/fetcher.hpp>

namespace forklift::worker {

/// A worker that is a thread of this process. Generators, thread counts and signal handlers of the
/// process are left alone: signals that may go to other threads are blocked in it.
///
/// A thread cannot be killed, and one that outlived the data it works on would write into memory
/// that is not its own: the destructor waits for it.
class WorkerThread final : public WorkerBody {
 public:
  /// Starts it. What `task` refers to must outlive this object, but for its `fetcher`, which is
  /// this one. Errors: SystemError ("pthread_create"), ResourceError.
  WorkerThread(const WorkerTask& task, std::unique_ptr<detail::Fetcher> fetcher);
  ~WorkerThread() override;

  [[nodiscard]] int end_fd() const noexcept override { return state_->end.fd(); }
  [[nodiscard]] int line_fd() const noexcept override { return -1; }
  void lost_line() noexcept override {}
  [[nodiscard]] bool wait_for_end(sys::Deadline deadline) noexcept override;
  void kill() noexcept override;
  void describe_end(WorkerDied::Record& record) override;
  [[nodiscard]] pid_t pid() const noexcept override { return owner_; }

 private:
  // What the thread uses.
  struct State {
    State(const WorkerTask& of_worker, std::unique_ptr<detail::Fetcher> own_fetcher);

    std::unique_ptr<detail::Fetcher> fetcher;
    WorkerTask task;
    sys::EventFd end;  // rung when the loop is over, or when it counts as dead
    std::atomic<int> status;
    std::thread thread;
  };
  static void run(State& state);

  std::unique_ptr<State> state_;
  pid_t owner_;
};

}  // namespace forklift::worker
