// SPDX-License-Identifier: MIT
#include <atomic>

#include <forklift/worker_info.hpp>

namespace forklift {
namespace {

// Set once in a child, null in every other process.
constinit std::atomic<const WorkerInfo*> current = nullptr;

}  // namespace

const WorkerInfo* get_worker_info() noexcept {
  return current.load();
}

void detail::set_worker_info(const WorkerInfo* info) noexcept {
  current.store(info);
}

}  // namespace forklift
