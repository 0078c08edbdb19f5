// SPDX-License-Identifier: MIT
#include "worker/worker_process.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>

#include "worker/worker_exit.hpp"

#include <forklift/generator.hpp>

namespace forklift::worker {
namespace {

// From the closing of a process's descriptors to its end; far more than it takes.
constexpr std::chrono::milliseconds kEndTakes{200};

// A child must find the default generator whole: held over the fork, let go on both sides.
class DefaultGeneratorHeld {
 public:
  DefaultGeneratorHeld() { detail::lock_default_generator(); }
  DefaultGeneratorHeld(const DefaultGeneratorHeld&) = delete;
  DefaultGeneratorHeld& operator=(const DefaultGeneratorHeld&) = delete;
  ~DefaultGeneratorHeld() { detail::unlock_default_generator(); }
};

void seed_generators(std::uint64_t seed, const detail::LibraryHooks& hooks) {
  detail::unlock_default_generator();
  manual_seed(seed);
  if (hooks.seed_worker != nullptr) {
    hooks.seed_worker(seed);
  }
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerTask& task,
                             const detail::LibraryHooks& hooks,
                             const std::function<void()>& close_siblings)
    : life_line_(sys::LifeLine::make()) {
  const sys::ChildPlan child{.name = fmt::format("forklift:w{}", task.info.id),
                             .hooks = hooks.fork,
                             .parent_pidfd = task.parent_pidfd,
                             .own_pool = &task.ring};
  const DefaultGeneratorHeld held;
  process_ = sys::ChildProcess::start(child, [&] {
    life_line_.keep_child_end();
    close_siblings();
    seed_generators(task.info.seed, hooks);
    return run_in_process(task);
  });
  life_line_.keep_parent_end();
}

// A process that ends closes its descriptors a moment before it is gone; one that does not end is
// of no more use, and may write to descriptors of others.
void WorkerProcess::lost_line() noexcept {
  std::array fds = {sys::readable(end_fd())};
  if (sys::wait_until_ready(fds, std::chrono::steady_clock::now() + kEndTakes) ==
      sys::Woken::kTimedOut) {
    is_out_of_reach_ = true;
    kill();
  }
}

bool WorkerProcess::wait_for_end(sys::Deadline deadline) noexcept {
  return process_.reap_until(deadline).has_value();
}

void WorkerProcess::kill() noexcept {
  static_cast<void>(process_.kill(SIGKILL));
}

void WorkerProcess::describe_end(WorkerDied::Record& record) {
  const auto status = process_.reap_until(std::nullopt);
  describe_exit(status.value_or(sys::ExitStatus{}), record);
  if (is_out_of_reach_) {
    record.hint =
        "It was killed because code of the dataset closed file descriptors that are not its own, "
        "or replaced the worker's program (exec).";
  }
}

}  // namespace forklift::worker
