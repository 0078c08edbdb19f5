// SPDX-License-Identifier: MIT
#include "worker/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sys/current_pid.hpp"
#include "sys/pid_fd.hpp"
#include "sys/unique_fd.hpp"
#include "worker/worker_loop.hpp"
#include "worker/worker_process.hpp"
#include "worker/worker_thread.hpp"

#include <forklift/error.hpp>

namespace forklift::worker {

using Clock = std::chrono::steady_clock;

WorkerPool::WorkerPool(ipc::Ring& ring, PoolPlan plan)
    : ring_(ring),
      plan_(std::move(plan)),
      owner_(sys::current_pid()) {
  registration_.emplace(
      &ring_, [](void* self) noexcept { static_cast<WorkerPool*>(self)->drop_in_child(); }, this);
  if (plan_.kind == WorkerKind::thread) {
    exceptions_.resize(ring_.plan().num_slots);
  }
  workers_.reserve(plan_.num_workers);
  for (std::uint32_t id = 0; id < plan_.num_workers; ++id) {
    add_worker(id);
  }
  try {
    start_workers();
  } catch (...) {
    ring_.control().stop.store(1);  // for threads, which are waited for
    for (Worker& worker : workers_) {
      static_cast<void>(worker.bell.ring_always());
    }
    throw;
  }
  fds_ = worker_fds();
}

void WorkerPool::add_worker(std::uint32_t id) {
  ipc::WorkerControl& control = ring_.worker_control(id);
  sys::EventFd bell_fd;
  const ipc::Doorbell bell(&control.worker_sleeps, bell_fd.fd());
  workers_.push_back({.requests = ring_.request_queue(id),
                      .completions = ring_.completion_ring(id),
                      .bell_fd = std::move(bell_fd),
                      .bell = bell,
                      .parent_bell = ipc::Doorbell(&control.parent_sleeps, parent_bell_fd_.fd()),
                      .start_exception = nullptr,
                      .body = nullptr});
}

void WorkerPool::start_workers() {
  const sys::UniqueFd parent_pidfd =
      plan_.kind == WorkerKind::process ? sys::open_pid_fd(sys::current_pid()) : sys::UniqueFd();
  for (std::uint32_t id = 0; id < plan_.num_workers; ++id) {
    try {
      workers_[id].body = start_worker(id, parent_pidfd.get());
    } catch (const ResourceError& error) {
      throw ResourceError(
          error.operation(),
          fmt::format("worker {} of {} ({})", id + 1, plan_.num_workers, error.object()),
          error.code(),
          error.needed(),
          error.available(),
          error.knob());
    } catch (const SystemError& error) {
      const std::string object = fmt::format("worker {} of {}", id + 1, plan_.num_workers);
      throw SystemError(error.operation(), object, error.code());
    }
  }
}

std::unique_ptr<WorkerBody> WorkerPool::start_worker(std::uint32_t id, int parent_pidfd) {
  std::unique_ptr<detail::Fetcher> own_fetcher;
  if (plan_.kind == WorkerKind::thread) {
    own_fetcher = plan_.fetcher->share();
  }
  const WorkerTask task{.ring = ring_,
                        .fetcher = own_fetcher != nullptr ? *own_fetcher : *plan_.fetcher,
                        .info = {.id = id,
                                 .num_workers = plan_.num_workers,
                                 .seed = plan_.base_seed + id,
                                 .rank = plan_.rank,
                                 .world = plan_.world},
                        .init_fn = plan_.init_fn,
                        .first_pass = plan_.first_pass,
                        .stream_states = plan_.stream_states,
                        .own_bell = workers_[id].bell,
                        .parent_bell = workers_[id].parent_bell,
                        .parent_pidfd = parent_pidfd,
                        .parent = owner_,
                        .open_error = plan_.open_error,
                        .exceptions = exceptions_,
                        .start_exception = &workers_[id].start_exception};
  if (plan_.kind == WorkerKind::thread) {
    return std::make_unique<WorkerThread>(task, std::move(own_fetcher));
  }
  return std::make_unique<WorkerProcess>(task, plan_.hooks, [this, id] { close_siblings(id); });
}

// In worker `id`: the descriptors of the others, which it inherited, are not for its user's code.
void WorkerPool::close_siblings(std::uint32_t id) noexcept {
  for (std::uint32_t other = 0; other < workers_.size(); ++other) {
    if (other != id) {
      workers_[other].bell_fd.close();
      workers_[other].body.reset();  // in this process it only closes
    }
  }
}

WorkerPool::~WorkerPool() {
  if (sys::current_pid() == owner_) {
    // Who had to be killed is of interest to those who call stop() themselves.
    static_cast<void>(stop(kGraceTime));
  }
}

std::optional<std::uint64_t> WorkerPool::post(std::uint32_t worker, std::uint32_t slot) {
  Worker& to = workers_[worker];
  const auto ticket = to.requests.try_post(slot);
  if (ticket.has_value()) {
    // The parent's own descriptor; if the host closed it, the worker's end or the deadline is all
    // that can come.
    static_cast<void>(to.bell.ring());
  }
  return ticket;
}

bool WorkerPool::withdraw(std::uint32_t worker, std::uint64_t ticket) {
  if (!workers_[worker].requests.try_withdraw(ticket)) {
    return false;
  }
  workers_[worker].requests.release(ticket);
  return true;
}

bool WorkerPool::is_claimed(std::uint32_t worker, std::uint64_t ticket) const {
  return workers_[worker].requests.look(ticket).state == ipc::EntryState::kClaimed;
}

std::optional<ipc::Completion> WorkerPool::take(std::uint32_t worker) {
  Worker& from = workers_[worker];
  const auto completion = from.completions.try_take();
  if (completion.has_value()) {
    from.requests.release(completion->ticket);
  } else if (from.completions.broken()) [[unlikely]] {
    condemn(worker);
  }
  return completion;
}

std::exception_ptr WorkerPool::take_exception(std::uint32_t slot) noexcept {
  return exceptions_.empty() ? nullptr : std::exchange(exceptions_[slot], nullptr);
}

sys::Woken WorkerPool::sleep(std::optional<std::uint32_t> worker,
                             const std::function<bool()>& is_done,
                             sys::Deadline deadline) {
  const auto those =
      worker.has_value() ? std::span(workers_).subspan(*worker, 1) : std::span(workers_);
  for (Worker& each : those) {
    each.parent_bell.arm();
  }
  const sys::Woken woken = is_done() ? sys::Woken::kReady : wait_for_any(deadline);
  for (Worker& each : those) {
    each.parent_bell.disarm();
  }
  return woken;
}

sys::Woken WorkerPool::wait_for_any(sys::Deadline deadline) {
  if (plan_.kind == WorkerKind::process) {
    return sys::wait_until_ready(fds_, deadline);
  }
  const auto look_again = Clock::now() + kLookAgain;
  if (deadline.has_value() && *deadline <= look_again) {
    return sys::wait_until_ready(fds_, deadline);
  }
  const sys::Woken woken = sys::wait_until_ready(fds_, look_again);
  return woken == sys::Woken::kTimedOut ? sys::Woken::kReady : woken;
}

std::optional<std::uint32_t> WorkerPool::find_dead() noexcept {
  const auto lines = std::span(fds_).subspan(1);
  if (sys::wait_until_ready(lines, Clock::time_point::min()) == sys::Woken::kTimedOut) {
    return std::nullopt;
  }
  for (std::uint32_t id = 0; id < num_workers(); ++id) {
    if ((lines[id].revents & POLLIN) != 0) {
      return id;
    }
  }
  for (std::uint32_t id = 0; id < num_workers(); ++id) {
    if ((lines[num_workers() + id].revents & POLLHUP) != 0) {
      workers_[id].body->lost_line();
      return id;
    }
  }
  return std::nullopt;
}

void WorkerPool::describe_end(std::uint32_t worker, WorkerDied::Record& record) {
  record.worker_id = worker;
  record.kind = plan_.kind;
  record.pid = pid(worker);
  workers_[worker].body->describe_end(record);
}

std::vector<std::uint32_t> WorkerPool::stop(std::chrono::milliseconds grace) noexcept {
  ring_.control().stop.store(1);
  for (Worker& worker : workers_) {
    static_cast<void>(worker.bell.ring_always());  // a worker that cannot be woken is killed below
  }
  const auto deadline = Clock::now() + grace;
  std::vector<std::uint32_t> stragglers;
  for (std::uint32_t id = 0; id < workers_.size(); ++id) {
    WorkerBody* const body = workers_[id].body.get();
    if (body != nullptr && !body->wait_for_end(deadline)) {
      stragglers.push_back(id);
      body->kill();
    }
  }
  return stragglers;
}

std::vector<pollfd> WorkerPool::worker_fds() const {
  std::vector<pollfd> fds = {sys::readable(parent_bell_fd_.fd())};
  for (const Worker& worker : workers_) {
    fds.push_back(sys::readable(worker.body->end_fd()));
  }
  for (const Worker& worker : workers_) {
    fds.push_back(sys::readable(worker.body->line_fd()));
  }
  return fds;
}

void WorkerPool::drop_in_child() noexcept {
  workers_.clear();  // closes the descriptors; the workers are not this process's
  parent_bell_fd_.close();
  registration_.reset();
}

}  // namespace forklift::worker
