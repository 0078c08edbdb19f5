// SPDX-License-Identifier: MIT
#include "engine/crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sys/cancellation.hpp"
#include "sys/current_pid.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {
namespace {

constexpr std::chrono::microseconds kLookEvery{250};
// The user waits for the error of a worker's death meanwhile.
constexpr std::chrono::milliseconds kGraceAfterDeath{500};

}  // namespace

Crew::Crew(RingClaim ring,
           worker::PoolPlan plan,
           bool in_order,
           std::shared_ptr<Diagnostics> diagnostics)
    : ring_(std::move(ring)),
      diagnostics_(std::move(diagnostics)),
      in_flight_(ring_->ring().plan().num_slots,
                 std::max<std::size_t>(plan.num_workers, plan.stream_states.size()),
                 in_order),
      reader_(ring_->ring()),
      pool_(ring_->ring(), std::move(plan)),
      last_look_(Clock::now()),
      owner_(sys::current_pid()) {}

bool Crew::is_ours() const noexcept {
  return sys::current_pid() == owner_;
}

Crew::~Crew() {
  if (!is_ours()) {
    return;
  }
  const sys::CancellationOff off;  // the user's on_warning may be called
  try {
    stop_and_warn();
  } catch (...) {
    broken_ = true;  // no memory, or the user's on_warning threw: a destructor has nobody to tell
  }
  static_cast<void>(pool_.stop({}));  // if that did not come to it
  pool_.reap();
  release_all();
}

void Crew::stop_and_warn() {
  std::vector<std::string> last_seen;
  for (std::uint32_t worker = 0; worker < num_workers(); ++worker) {
    last_seen.push_back(what_worker_does(worker));
  }
  for (const std::uint32_t worker : pool_.stop(worker::kGraceTime)) {
    diagnostics_->warn(
        Warning::kWorkerKilled,
        fmt::format("worker {} did not leave within {} s of being told and {}; it {}",
                    worker,
                    worker::kGraceTime.count(),
                    pool_.kind() == WorkerKind::process
                        ? "was killed"
                        : "is waited for, since a thread cannot be killed",
                    last_seen[worker]));
  }
}

// What nobody will take any more. Batches that are lent are not in the book and keep their slots.
void Crew::release_all() {
  for (std::uint32_t slot = 0; slot < in_flight_.num_slots(); ++slot) {
    if (in_flight_.at(slot).state != Request::State::kNone) {
      in_flight_.remove(slot);
      ring_->slots().give_back(slot);
    }
  }
}

void Crew::post(std::uint32_t worker, std::uint32_t slot, Request request) {
  const auto ticket = pool_.post(worker, slot);
  if (!ticket.has_value()) {
    // As many places as slots, and a worker's requests end in the order of their claims: the place
    // is free.
    throw StateError(fmt::format("the request queue of worker {} is full", worker));
  }
  request.state = Request::State::kPosted;
  request.worker = worker;
  request.ticket = *ticket;
  in_flight_.add(slot, std::move(request));
}

bool Crew::drain() {
  bool any = false;
  for (std::uint32_t worker = 0; worker < num_workers(); ++worker) {
    while (const auto completion = pool_.take(worker)) {
      any = true;
      if (!in_flight_.complete(worker, *completion)) [[unlikely]] {
        pool_.condemn(worker);  // it wrote over memory that is not its own
      } else {
        // Several are often finished at once: their lines come to this core together.
        ring_->ring().prefetch(completion->slot, in_flight_.at(completion->slot).rows);
      }
    }
  }
  if (any) {
    release_finished_abandoned();
  }
  return any;
}

void Crew::release_finished_abandoned() {
  for (const std::uint32_t slot : in_flight_.take_finished_abandoned()) {
    ring_->slots().give_back(slot);
  }
}

void Crew::abandon_all() {
  drain();
  for (std::uint32_t slot = 0; slot < in_flight_.num_slots(); ++slot) {
    const Request& request = in_flight_.at(slot);
    using State = Request::State;
    if (request.state == State::kReady || request.state == State::kFailed ||
        request.state == State::kExhausted ||
        (request.state == State::kPosted && pool_.withdraw(request.worker, request.ticket))) {
      in_flight_.remove(slot);
      ring_->slots().give_back(slot);
    } else if (request.state == State::kPosted) {
      in_flight_.abandon(slot);
    }
  }
}

void Crew::wait_for_abandoned(std::optional<std::chrono::nanoseconds> timeout) {
  check_alive();
  wait(std::nullopt, timeout, [this] { return !in_flight_.has_abandoned(); });
  in_flight_.start_pass();
}

void Crew::check_alive() {
  const auto now = Clock::now();
  if (now - last_look_ < kLookEvery) {
    return;
  }
  last_look_ = now;
  if (const auto worker = pool_.find_dead()) {
    throw_died(*worker);
  }
}

// True when the deadline has passed.
bool Crew::sleep(std::optional<std::uint32_t> worker,
                 const std::function<bool()>& is_done,
                 sys::Deadline deadline) {
  const sys::Woken woken = pool_.sleep(worker, is_done, deadline);
  if (const auto dead = pool_.find_dead()) {
    throw_died(*dead);
  }
  if (woken == sys::Woken::kBroken) {
    broken_ = true;
    throw SystemError(
        "poll", "the descriptors of the workers, which code of this program closed", EBADF);
  }
  return woken == sys::Woken::kTimedOut;
}

// The request that the worker has taken up and not completed: its oldest one.
std::optional<std::uint32_t> Crew::slot_in_hand(std::uint32_t worker) const {
  std::optional<std::uint32_t> found;
  for (std::uint32_t slot = 0; slot < in_flight_.num_slots(); ++slot) {
    const Request& request = in_flight_.at(slot);
    const bool is_with_worker =
        request.state == Request::State::kPosted || request.state == Request::State::kAbandoned;
    if (is_with_worker && request.worker == worker && pool_.is_claimed(worker, request.ticket) &&
        (!found.has_value() || request.ticket < in_flight_.at(*found).ticket)) {
      found = slot;
    }
  }
  return found;
}

std::string Crew::what_worker_does(std::uint32_t worker) const {
  std::string text = pool_.kind() == WorkerKind::process
                         ? fmt::format("(pid {}) ", pool_.pid(worker))
                         : std::string("(a thread) ");
  const auto slot = slot_in_hand(worker);
  if (!slot.has_value()) {
    return text + "is idle";
  }
  const Request& request = in_flight_.at(*slot);
  text += fmt::format("is at batch {}", request.sequence);
  const auto position = reader_.read_in_progress(*slot, request.samples);
  const auto indices = reader_.read_indices(*slot, request.rows);
  if (!position.has_value()) {
    return text + ", in no sample (collate_fn, get_batch or start-up)";
  }
  return *position < indices.size()
             ? text + fmt::format(", in the sample of dataset index {}",
                                  indices[static_cast<std::size_t>(*position)])
             : text + fmt::format(", in sample {} of it", *position);
}

void Crew::throw_died(std::uint32_t worker) {
  const sys::CancellationOff off;  // a thread is waited for, which is not to be unwound
  broken_ = true;
  WorkerDied::Record record;
  pool_.describe_end(worker, record);
  drain();  // what it finished before it died was not in its hands
  if (const auto slot = slot_in_hand(worker)) {
    const Request& request = in_flight_.at(*slot);
    record.indices = reader_.read_indices(*slot, request.rows);
    record.batch_index = static_cast<std::size_t>(request.sequence);
    const auto position = reader_.read_in_progress(*slot, request.samples);
    if (position.has_value() && *position < record.indices.size()) {
      record.sample = record.indices[static_cast<std::size_t>(*position)];
    } else if (position.has_value()) {
      record.position = static_cast<std::size_t>(*position);
    }
  }
  // The others' work is not wanted any more. A process that does not leave soon is not worth a
  // warning beside the error; a thread may keep the user waiting for the error itself.
  if (pool_.kind() == WorkerKind::process) {
    static_cast<void>(pool_.stop(kGraceAfterDeath));
  } else {
    stop_and_warn();
  }
  pool_.reap();
  throw WorkerDied(std::move(record));
}

void Crew::throw_timeout(std::chrono::nanoseconds timeout) const {
  std::string text = fmt::format(
      "DataLoader timed out after {:g} seconds (option timeout) without a message from a worker",
      std::chrono::duration<double>(timeout).count());
  for (std::uint32_t worker = 0; worker < num_workers(); ++worker) {
    text += fmt::format("; worker {} {}", worker, what_worker_does(worker));
  }
  throw TimeoutError(text);
}

}  // namespace forklift::engine
