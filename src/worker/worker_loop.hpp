// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ipc/doorbell.hpp"
#include "ipc/ring.hpp"

#include <forklift/detail/fetcher.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::worker {

/// What one worker needs. Everything is inherited over the fork; nothing is sent.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): no one leaves out a bell
struct WorkerTask {
  ipc::Ring& ring;
  detail::Fetcher& fetcher;
  WorkerInfo info;
  const std::function<void(std::size_t)>& init_fn;
  const std::optional<std::string>& stream_state;  ///< where its first stream goes on from
  ipc::Doorbell own_bell;                          ///< this worker sleeps on it
  ipc::Doorbell parent_bell;                       ///< the parent sleeps on it
  int parent_pidfd = -1;                           ///< readable once the parent is gone
  pid_t parent = 0;
};

/// The life of a worker: set-up, then claim, fill, publish until it is told to stop. Returns the
/// exit status.
///
/// An exception of worker_init_fn or of the dataset's open() answers every request, so that no
/// batch waits for ever. Thread: the only thread of user code in the worker process.
[[nodiscard]] int run_worker(const WorkerTask& task);

}  // namespace forklift::worker
