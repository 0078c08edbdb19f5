// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace forklift {

/// Who a worker is. In the main process, with 0 workers, a dataset is given {id 0, num_workers 1}.
struct WorkerInfo {
  std::size_t id = 0;  ///< 0 .. num_workers - 1
  std::size_t num_workers = 1;
  std::uint64_t seed = 0;  ///< base seed of the pass that started the worker, plus id
  std::size_t rank = 0;    ///< the loader's option `rank`
  std::size_t world = 1;   ///< the loader's option `world`
  /// Passes over an iterable dataset that this worker began before the one that iterate() begins.
  std::size_t passes_before = 0;
};

/// The worker that calls it; null in the main process, but for its threads that are workers. While
/// a worker reads a stream of an iterable dataset, what iterate() was given for that stream.
/// Owner: Forklift; valid for the life of the worker.
/// Source: PyTorch torch/utils/data/_utils/worker.py, get_worker_info.
[[nodiscard]] const WorkerInfo* get_worker_info() noexcept;

namespace detail {
/// Called once in a worker, before any code of the user. `info` must outlive the worker's last
/// call.
void set_worker_info(const WorkerInfo* info) noexcept;
/// The same for a worker that is a thread: the thread that calls it.
void set_thread_worker_info(const WorkerInfo* info) noexcept;
}  // namespace detail

}  // namespace forklift
