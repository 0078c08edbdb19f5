// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>

#include "ipc/doorbell.hpp"
#include "ipc/ring.hpp"
#include "worker/stream_set.hpp"

#include <forklift/detail/fetcher.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::worker {

/// What one worker needs. A process inherits everything over the fork; nothing is sent.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): no one leaves out a bell
struct WorkerTask {
  ipc::Ring& ring;
  detail::Fetcher& fetcher;  ///< of a thread its own, see Fetcher::share()
  WorkerInfo info;
  std::function<void(std::size_t)> init_fn;  ///< its own, since it may have a state
  std::uint32_t first_pass = 1;              ///< the first one that it works for
  const StreamStates& stream_states;         ///< of a pass that goes on from a state
  ipc::Doorbell own_bell;                    ///< this worker sleeps on it
  ipc::Doorbell parent_bell;                 ///< the parent sleeps on it
  int parent_pidfd = -1;                     ///< readable once the parent is gone
  pid_t parent = 0;
  /// Of a thread: what the dataset's open() threw, where the exceptions of slots go, and where the
  /// one of its start does, so that it is not the thread that destroys what others may read.
  std::exception_ptr open_error = nullptr;
  std::span<std::exception_ptr> exceptions = {};
  std::exception_ptr* start_exception = nullptr;
};

/// A poll does not see that the program closes the descriptor it waits for. A worker process is
/// killed then; where there are threads, each wait looks again after so long.
inline constexpr std::chrono::seconds kLookAgain{1};

/// The life of a worker: set-up, then claim, fill, publish until it is told to stop. Returns the
/// exit status.
///
/// An exception of worker_init_fn or of the dataset's open() answers every request, so that no
/// batch waits for ever. Thread: the only thread of user code in the worker process.
[[nodiscard]] int run_in_process(const WorkerTask& task);
/// The same in a thread. The exception of a batch goes to its slot's place in `exceptions` before
/// the batch is published.
[[nodiscard]] int run_in_thread(const WorkerTask& task);

}  // namespace forklift::worker
