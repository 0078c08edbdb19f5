// SPDX-License-Identifier: MIT
#include <atomic>

#include <forklift/worker_info.hpp>

namespace forklift {
namespace {

// Set once in a child, for all of its threads; null in every other process.
constinit std::atomic<const WorkerInfo*> of_process = nullptr;
// Set once in a worker that is a thread.
constinit thread_local const WorkerInfo* of_thread = nullptr;

}  // namespace

const WorkerInfo* get_worker_info() noexcept {
  return of_thread != nullptr ? of_thread : of_process.load();
}

void detail::set_worker_info(const WorkerInfo* info) noexcept {
  of_process.store(info);
}

void detail::set_thread_worker_info(const WorkerInfo* info) noexcept {
  of_thread = info;
}

}  // namespace forklift
