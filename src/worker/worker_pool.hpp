// SPDX-License-Identifier: MIT
#pragma once

// The workers of one loader as their parent sees them: one process or thread, one request queue,
// one completion ring and one pair of doorbells each.
//
// Who owns what: the pool owns the workers and the descriptors; the ring is the caller's and
// outlives it. A worker owns a slot from the claim of its request to its completion; all else is
// the parent's. The pool never waits for a worker without also waiting for its end and for the
// caller's deadline, so that no death and no stuck worker can hang it.

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ipc/completion_ring.hpp"
#include "ipc/doorbell.hpp"
#include "ipc/request_queue.hpp"
#include "ipc/ring.hpp"
#include "sys/event_fd.hpp"
#include "sys/poller.hpp"
#include "sys/pool_registry.hpp"
#include "worker/stream_set.hpp"
#include "worker/worker_body.hpp"

#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/library_hooks.hpp>
#include <forklift/error.hpp>

namespace forklift::worker {

/// What a pool is started with.
struct PoolPlan {
  std::uint32_t num_workers = 0;
  WorkerKind kind = WorkerKind::process;
  std::shared_ptr<detail::Fetcher> fetcher;
  std::function<void(std::size_t)> init_fn;
  detail::LibraryHooks hooks;
  std::uint64_t base_seed = 0;   ///< worker i is seeded with base_seed + i
  std::size_t rank = 0;          ///< of WorkerInfo
  std::size_t world = 1;         ///< of WorkerInfo
  std::uint32_t first_pass = 1;  ///< the number of the first pass that uses this pool
  /// The streams of a pass that goes on from a state; as many as the workers that left it.
  StreamStates stream_states;
  /// Of threads: what the dataset's open() threw.
  std::exception_ptr open_error = nullptr;
};

/// How long a worker may go on in the user's code after it was told to stop.
inline constexpr std::chrono::seconds kGraceTime{2};

/// Thread: one at a time.
class WorkerPool {
 public:
  /// Starts the workers, in the order of their ids. The queues of `ring` must be freshly formatted.
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
  void condemn(std::uint32_t worker) noexcept { workers_[worker].body->kill(); }
  /// The exception that stands in a slot of a worker thread, once; null for a process.
  [[nodiscard]] std::exception_ptr take_exception(std::uint32_t slot) noexcept;

  /// Sleeps until `worker` (or any, when empty) publishes something, a worker ends or the deadline
  /// passes; returns at once when `is_done` says so after the bells were armed. May return kReady
  /// for nothing.
  sys::Woken sleep(std::optional<std::uint32_t> worker,
                   const std::function<bool()>& is_done,
                   sys::Deadline deadline);
  /// A worker that has ended, if any. One that lives on out of reach is killed and named too.
  [[nodiscard]] std::optional<std::uint32_t> find_dead() noexcept;
  /// Reaps a worker that find_dead() named and writes down how it ended.
  void describe_end(std::uint32_t worker, WorkerDied::Record& record);

  /// Tells all to leave, waits for `grace` in all and kills the others. Returns those.
  std::vector<std::uint32_t> stop(std::chrono::milliseconds grace) noexcept;
  /// After stop(): waits until all have ended, for a thread that may be long. None is left then.
  void reap() noexcept { workers_.clear(); }

  [[nodiscard]] std::uint32_t num_workers() const noexcept {
    return static_cast<std::uint32_t>(workers_.size());
  }
  [[nodiscard]] WorkerKind kind() const noexcept { return plan_.kind; }
  [[nodiscard]] pid_t pid(std::uint32_t worker) const noexcept {
    return workers_[worker].body->pid();
  }

 private:
  struct Worker {
    ipc::RequestQueue requests;
    ipc::CompletionRing completions;
    sys::EventFd bell_fd;
    ipc::Doorbell bell;                  // the worker sleeps on it
    ipc::Doorbell parent_bell;           // the parent sleeps on it, waiting for this worker
    std::exception_ptr start_exception;  // of a thread
    std::unique_ptr<WorkerBody> body;    // empty until it has started
  };

  void add_worker(std::uint32_t id);
  void start_workers();
  [[nodiscard]] std::unique_ptr<WorkerBody> start_worker(std::uint32_t id, int parent_pidfd);
  void close_siblings(std::uint32_t id) noexcept;
  [[nodiscard]] sys::Woken wait_for_any(sys::Deadline deadline);
  [[nodiscard]] std::vector<pollfd> worker_fds() const;
  void drop_in_child() noexcept;

  ipc::Ring& ring_;
  PoolPlan plan_;
  sys::EventFd parent_bell_fd_;
  std::vector<std::exception_ptr> exceptions_;  // of each slot, by threads
  std::vector<Worker> workers_;
  std::vector<pollfd> fds_;  // the parent's bell, every worker's end, every worker's line
  pid_t owner_;
  std::optional<sys::PoolRegistration> registration_;
};

}  // namespace forklift::worker
