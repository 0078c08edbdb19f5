// SPDX-License-Identifier: MIT
#include "worker/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sys/current_pid.hpp"
#include "sys/pid_fd.hpp"
#include "worker/worker_exit.hpp"
#include "worker/worker_loop.hpp"

#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift::worker {
namespace {

using Clock = std::chrono::steady_clock;

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

WorkerPool::WorkerPool(ipc::Ring& ring, PoolPlan plan)
    : ring_(ring),
      plan_(std::move(plan)),
      owner_(sys::current_pid()) {
  registration_.emplace(
      &ring_, [](void* self) noexcept { static_cast<WorkerPool*>(self)->drop_in_child(); }, this);
  workers_.reserve(plan_.num_workers);
  for (std::uint32_t id = 0; id < plan_.num_workers; ++id) {
    add_worker(id);
  }
  const sys::UniqueFd parent_pidfd = sys::open_pid_fd(sys::current_pid());
  for (std::uint32_t id = 0; id < plan_.num_workers; ++id) {
    start_worker(id, parent_pidfd.get());
  }
  fds_ = process_fds();
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
                      .life_line = {},
                      .process = {}});
}

void WorkerPool::start_worker(std::uint32_t id, int parent_pidfd) {
  const std::optional<std::string> none;
  const WorkerTask task{
      .ring = ring_,
      .fetcher = *plan_.fetcher,
      .info = {.id = id, .num_workers = plan_.num_workers, .seed = plan_.base_seed + id},
      .init_fn = plan_.init_fn,
      .stream_state = id < plan_.stream_states.size() ? plan_.stream_states[id] : none,
      .own_bell = workers_[id].bell,
      .parent_bell = workers_[id].parent_bell,
      .parent_pidfd = parent_pidfd,
      .parent = owner_};
  const sys::ChildPlan child{.name = fmt::format("forklift:w{}", id),
                             .hooks = plan_.hooks.fork,
                             .parent_pidfd = parent_pidfd,
                             .own_pool = &ring_};
  try {
    workers_[id].life_line = sys::LifeLine::make();
    const DefaultGeneratorHeld held;
    workers_[id].process = sys::ChildProcess::start(child, [&] {
      workers_[id].life_line.keep_child_end();
      close_siblings(id);
      seed_generators(task.info.seed, plan_.hooks);
      return run_worker(task);
    });
    workers_[id].life_line.keep_parent_end();
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

// In worker `id`: the descriptors of the others, which it inherited, are not for its user's code.
void WorkerPool::close_siblings(std::uint32_t id) noexcept {
  for (std::uint32_t other = 0; other < workers_.size(); ++other) {
    if (other != id) {
      workers_[other].bell_fd.close();
      workers_[other].life_line.close();
      workers_[other].process = sys::ChildProcess();  // in this process it only closes
    }
  }
}

WorkerPool::~WorkerPool() {
  if (sys::current_pid() == owner_) {
    static_cast<void>(stop(
        kGraceTime));  // who had to be killed is of interest to those who call stop() themselves
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

sys::Woken WorkerPool::sleep(std::optional<std::uint32_t> worker,
                             const std::function<bool()>& is_done,
                             sys::Deadline deadline) {
  const auto those =
      worker.has_value() ? std::span(workers_).subspan(*worker, 1) : std::span(workers_);
  for (Worker& each : those) {
    each.parent_bell.arm();
  }
  const sys::Woken woken = is_done() ? sys::Woken::kReady : sys::wait_until_ready(fds_, deadline);
  for (Worker& each : those) {
    each.parent_bell.disarm();
  }
  return woken;
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
      end_without_line(id);
      return id;
    }
  }
  return std::nullopt;
}

// The life line of `worker` was cut. A process that ends closes its descriptors a moment before it
// is gone; one that does not end is of no more use, and may write to descriptors of others.
void WorkerPool::end_without_line(std::uint32_t worker) noexcept {
  std::array fds = {sys::readable(workers_[worker].process.pidfd().get())};
  if (sys::wait_until_ready(fds, Clock::now() + kEndTakes) == sys::Woken::kTimedOut) {
    workers_[worker].is_out_of_reach = true;
    condemn(worker);
  }
}

void WorkerPool::describe_end(std::uint32_t worker, WorkerDied::Record& record) {
  record.worker_id = worker;
  record.pid = pid(worker);
  const auto status = workers_[worker].process.reap_until(std::nullopt);
  describe_exit(status.value_or(sys::ExitStatus{}), record);
  if (workers_[worker].is_out_of_reach) {
    record.hint =
        "It was killed because code of the dataset closed file descriptors that are not its own, "
        "or replaced the worker's program (exec).";
  }
}

std::vector<Straggler> WorkerPool::stop(std::chrono::milliseconds grace) noexcept {
  ring_.control().stop.store(1);
  for (Worker& worker : workers_) {
    static_cast<void>(worker.bell.ring_always());  // a worker that cannot be woken is killed below
  }
  const auto deadline = Clock::now() + grace;
  std::vector<Straggler> stragglers;
  for (std::uint32_t id = 0; id < workers_.size(); ++id) {
    sys::ChildProcess& process = workers_[id].process;
    if (process.pid() == 0 || process.reap_until(deadline).has_value()) {
      continue;
    }
    stragglers.push_back({.worker = id, .pid = process.pid()});
    static_cast<void>(process.kill(SIGKILL));
  }
  workers_.clear();  // reaps those that were killed
  return stragglers;
}

std::vector<pollfd> WorkerPool::process_fds() const {
  std::vector<pollfd> fds = {sys::readable(parent_bell_fd_.fd())};
  for (const Worker& worker : workers_) {
    fds.push_back(sys::readable(worker.process.pidfd().get()));
  }
  for (const Worker& worker : workers_) {
    fds.push_back(sys::readable(worker.life_line.fd()));
  }
  return fds;
}

void WorkerPool::drop_in_child() noexcept {
  workers_.clear();  // closes the descriptors; the processes are not this one's
  parent_bell_fd_.close();
  registration_.reset();
}

}  // namespace forklift::worker
