// SPDX-License-Identifier: MIT
#pragma once

// The workers of one loader as their parent sees them: one process, one request queue, one
// completion ring and one pair of doorbells each.
//
// Who owns what: the pool owns the processes and the descriptors; the ring is the caller's and
// outlives it. A worker owns a slot from the claim of its request to its completion; all else is
// the parent's. The pool never waits for a worker without also waiting for its end and for the
// caller's deadline, so that no death and no stuck worker can hang it.

#include <poll.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ipc/completion_ring.hpp"
#include "ipc/doorbell.hpp"
#include "ipc/request_queue.hpp"
#include "ipc/ring.hpp"
#include "sys/child_process.hpp"
#include "sys/event_fd.hpp"
#include "sys/life_line.hpp"
#include "sys/poller.hpp"
#include "sys/pool_registry.hpp"

#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/library_hooks.hpp>
#include <forklift/error.hpp>

namespace forklift::worker {

/// What a pool is started with.
struct PoolPlan {
  std::uint32_t num_workers = 0;
  std::shared_ptr<detail::Fetcher> fetcher;
  std::function<void(std::size_t)> init_fn;
  detail::LibraryHooks hooks;
  std::uint64_t base_seed = 0;  ///< worker i is seeded with base_seed + i
  /// Where the first stream of each worker goes on from; may be shorter.
  std::vector<std::optional<std::string>> stream_states;
};

/// How long a worker may go on in the user's code after it was told to stop.
inline constexpr std::chrono::seconds kGraceTime{2};

/// A worker that had to be killed at shutdown.
struct Straggler {
  std::uint32_t worker = 0;
  pid_t pid = 0;
};

/// Thread: one at a time.
class WorkerPool {
 public:
  /// Forks the workers, in the order of their ids. The queues of `ring` must be freshly formatted.
  /// Errors: SystemError, ResourceError that name the worker ("worker 3 of 4"); those already
  /// started are gone then.
  WorkerPool(ipc::Ring& ring, PoolPlan plan);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();

  /// Offers a slot to a worker and returns the request's ticket; empty while the worker's queue is
  /// full.
  [[nodiscard]] std::optional<std::uint64_t> post(std::uint32_t worker, std::uint32_t slot);
  /// Takes a request back; false when the worker has it already.
  [[nodiscard]] bool withdraw(std::uint32_t worker, std::uint64_t ticket);
  /// Whether the worker has taken up the request.
  [[nodiscard]] bool is_claimed(std::uint32_t worker, std::uint64_t ticket) const;
  /// The worker's next completion. Its request is over. A worker whose ring is nonsense is killed.
  [[nodiscard]] std::optional<ipc::Completion> take(std::uint32_t worker);

  /// Kills a worker that broke the protocol; its death is then found like any other.
  void condemn(std::uint32_t worker) noexcept {
    static_cast<void>(workers_[worker].process.kill(SIGKILL));
  }

  /// Sleeps until `worker` (or any, when empty) publishes something, a worker ends or the deadline
  /// passes; returns at once when `is_done` says so after the bells were armed.
  sys::Woken sleep(std::optional<std::uint32_t> worker,
                   const std::function<bool()>& is_done,
                   sys::Deadline deadline);
  /// A worker that has ended, if any. One that lives on out of reach is killed and named too.
  [[nodiscard]] std::optional<std::uint32_t> find_dead() noexcept;
  /// Reaps a worker that find_dead() named and writes down how it ended.
  void describe_end(std::uint32_t worker, WorkerDied::Record& record);

  /// Tells all to leave, waits for `grace` in all, then kills, and reaps. Returns those that were
  /// killed.
  std::vector<Straggler> stop(std::chrono::milliseconds grace) noexcept;

  [[nodiscard]] std::uint32_t num_workers() const noexcept {
    return static_cast<std::uint32_t>(workers_.size());
  }
  [[nodiscard]] pid_t pid(std::uint32_t worker) const noexcept {
    return workers_[worker].process.pid();
  }

 private:
  struct Worker {
    ipc::RequestQueue requests;
    ipc::CompletionRing completions;
    sys::EventFd bell_fd;
    ipc::Doorbell bell;         // the worker sleeps on it
    ipc::Doorbell parent_bell;  // the parent sleeps on it, waiting for this worker
    sys::LifeLine life_line;
    sys::ChildProcess process;
    bool is_out_of_reach =
        false;  // it closed the descriptors by which it is reached, or called exec
  };

  void add_worker(std::uint32_t id);
  void start_worker(std::uint32_t id, int parent_pidfd);
  void close_siblings(std::uint32_t id) noexcept;
  void end_without_line(std::uint32_t worker) noexcept;
  [[nodiscard]] std::vector<pollfd> process_fds() const;
  void drop_in_child() noexcept;

  ipc::Ring& ring_;
  PoolPlan plan_;
  sys::EventFd parent_bell_fd_;
  std::vector<Worker> workers_;
  std::vector<pollfd> fds_;  // the parent's bell, every worker's pidfd, every worker's life line
  pid_t owner_;
  std::optional<sys::PoolRegistration> registration_;
};

}  // namespace forklift::worker
