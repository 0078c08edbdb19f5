// SPDX-License-Identifier: MIT
#pragma once

// A ring, the workers that fill it and the book of what they were asked for. One pass at a time
// uses a crew; a persistent loader hands the same crew from pass to pass. Destroyed in one order:
// workers, then the ring.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/batch_ring.hpp"
#include "engine/diagnostics.hpp"
#include "engine/in_flight.hpp"
#include "ipc/slot_reader.hpp"
#include "sys/backoff.hpp"
#include "sys/poller.hpp"
#include "worker/worker_pool.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {

/// Owner: one pass, and the engine when persistent. Thread: one at a time.
class Crew {
 public:
  /// Errors: as WorkerPool.
  Crew(RingClaim ring,
       worker::PoolPlan plan,
       bool in_order,
       std::shared_ptr<Diagnostics> diagnostics);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  /// Stops the workers; warns of those that had to be killed, or are waited for.
  ~Crew();

  /// Offers `slot`, whose header is written, to `worker`.
  void post(std::uint32_t worker, std::uint32_t slot, Request request);
  /// Takes what workers have finished into the book. True when there was anything.
  bool drain();
  /// Nobody wants the results of the requests in the book any more. Those not begun are withdrawn.
  void abandon_all();
  /// Waits until no worker is busy with an abandoned request. Errors: TimeoutError, WorkerDied.
  void wait_for_abandoned(std::optional<std::chrono::nanoseconds> timeout);

  /// Throws WorkerDied if a worker has ended. Looks at most every 250 us: who waits is woken by
  /// a death anyway.
  void check_alive();
  /// Sleeps until something happened that `is_done` may want to know. Errors: WorkerDied,
  /// TimeoutError.
  template <class Done>
  void wait(std::optional<std::uint32_t> worker,
            std::optional<std::chrono::nanoseconds> timeout,
            Done is_done);

  [[nodiscard]] const std::shared_ptr<BatchRing>& ring() const noexcept { return ring_.shared(); }
  [[nodiscard]] InFlight& in_flight() noexcept { return in_flight_; }
  [[nodiscard]] ipc::SlotReader& reader() noexcept { return reader_; }
  [[nodiscard]] std::uint32_t num_workers() const noexcept { return pool_.num_workers(); }
  [[nodiscard]] WorkerKind worker_kind() const noexcept { return pool_.kind(); }
  /// What a worker thread threw for the batch in `slot`, once; null with processes.
  [[nodiscard]] std::exception_ptr take_exception(std::uint32_t slot) noexcept {
    return pool_.take_exception(slot);
  }
  /// False in a process that was forked with a copy of this object: it may only be dropped there.
  [[nodiscard]] bool is_ours() const noexcept;
  /// Lets no further pass use this crew.
  void give_up() noexcept { broken_ = true; }
  /// A worker has died, or the crew was given up: it makes no more batches.
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }

 private:
  using Clock = std::chrono::steady_clock;

  [[noreturn]] void throw_died(std::uint32_t worker);
  [[noreturn]] void throw_timeout(std::chrono::nanoseconds timeout) const;
  [[nodiscard]] std::optional<std::uint32_t> slot_in_hand(std::uint32_t worker) const;
  [[nodiscard]] std::string what_worker_does(std::uint32_t worker) const;
  void stop_and_warn();
  void release_finished_abandoned();
  void release_all();
  bool sleep(std::optional<std::uint32_t> worker,
             const std::function<bool()>& is_done,
             sys::Deadline deadline);

  RingClaim ring_;
  std::shared_ptr<Diagnostics> diagnostics_;
  InFlight in_flight_;
  ipc::SlotReader reader_;
  worker::WorkerPool pool_;
  sys::Backoff backoff_;
  Clock::time_point last_look_;
  pid_t owner_;
  bool broken_ = false;
};

template <class Done>
void Crew::wait(std::optional<std::uint32_t> worker,
                std::optional<std::chrono::nanoseconds> timeout,
                Done is_done) {
  sys::Deadline deadline;
  const auto is_ready = [&] {
    // Each message restarts the limit, as in PyTorch: it bounds the silence, not the batch.
    if (drain()) {
      deadline.reset();
    }
    return is_done();
  };
  backoff_.wait(is_ready, [&] {
    if (timeout.has_value() && !deadline.has_value()) {
      deadline = Clock::now() + *timeout;
    }
    // Messages of other workers are only looked for now; one of them takes the deadline away.
    if (sleep(worker, is_ready, deadline) && !is_ready() && deadline.has_value()) {
      throw_timeout(*timeout);
    }
  });
}

}  // namespace forklift::engine
