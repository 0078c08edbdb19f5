// SPDX-License-Identifier: MIT
// A loader's engine: what lasts from pass to pass.
//
// Owns the idle ring, or with persistent workers the crew; passes share them and may outlive the
// engine. Nothing is forked, drawn or allocated before the first begin(). Order of a begin(), as in
// PyTorch: base seed, fork, then the sampler's draws.
#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "engine/batch_ring.hpp"
#include "engine/crew.hpp"
#include "engine/diagnostics.hpp"
#include "engine/inline_pass.hpp"
#include "engine/loader_state.hpp"
#include "engine/slot_table.hpp"
#include "engine/standing.hpp"
#include "engine/worker_pass.hpp"
#include "sys/cancellation.hpp"
#include "sys/caught.hpp"
#include "sys/current_pid.hpp"
#include "sys/processors.hpp"

#include <forklift/detail/engine_handle.hpp>
#include <forklift/error.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

using engine::BatchRing;
using engine::Crew;
using engine::InlinePass;
using engine::LoaderState;
using engine::PassStart;
using engine::WorkerPass;

class EngineImpl {
 public:
  explicit EngineImpl(EnginePlan plan)
      : loader_(std::make_shared<LoaderState>(
            LoaderState{.plan = std::move(plan), .diagnostics = nullptr})),
        standing_(loader_) {
    loader_->diagnostics = std::make_shared<engine::Diagnostics>(options().on_warning);
    warn_of_many_workers();
  }

  std::shared_ptr<Pass> begin() {
    const engine::OneAtATime guard(busy_);
    forget_other_process();
    if (standing_.is_restored()) {
      drop_crew();
      standing_.resume();
    }
    auto pass = options().num_workers == 0 ? begin_inline() : begin_with_workers();
    standing_.has_begun();
    return pass;
  }

  void set_epoch(std::size_t epoch) {
    const engine::OneAtATime guard(busy_);
    standing_.set_epoch(epoch);
  }

  LoaderSnapshot snapshot() {
    const engine::OneAtATime guard(busy_);
    return standing_.snapshot(crew_ != nullptr && !crew_->is_broken());
  }

  void restore(LoaderSnapshot snapshot) {
    const engine::OneAtATime guard(busy_);
    standing_.restore(std::move(snapshot));
  }

  void tell_length(std::size_t length) {
    const engine::OneAtATime guard(busy_);
    loader_->told_length = length;
  }

  [[nodiscard]] const ResolvedOptions& options() const noexcept { return loader_->plan.options; }

 private:
  // In a fork of the process that made them, ring and workers are not ours to use; dropping them
  // there only unmaps.
  void forget_other_process() {
    if (owner_ != sys::current_pid()) {
      owner_ = sys::current_pid();
      current_.reset();
      crew_.reset();
      ring_.reset();
    }
  }

  // Kept workers have other seeds than the ones that were restored.
  void drop_crew() {
    if (const auto before = current_.lock()) {
      before->supersede();
    }
    crew_.reset();
  }

  std::shared_ptr<Pass> begin_inline() {
    auto ring = claim_ring();
    auto open_error = open_dataset(standing_.draw_base_seed());
    return std::make_shared<InlinePass>(
        loader_, std::move(ring), standing_.start_pass(), std::move(open_error));
  }

  // In this process, for all its threads. Once, unless it throws: that error answers every batch of
  // the pass, as with worker processes, and the next pass tries again.
  std::exception_ptr open_dataset(std::uint64_t base_seed) {
    try {
      if (!opened_) {
        loader_->main_info = loader_->info_without_workers(base_seed);
        loader_->plan.fetcher->open(loader_->main_info);
        opened_ = true;
      }
      return nullptr;
    } catch (...) {
      return sys::caught();
    }
  }

  std::shared_ptr<Pass> begin_with_workers() {
    const sys::CancellationOff off;
    if (!options().persistent_workers) {
      auto crew = new_crew();  // first: it draws the seed that the pass starts with
      return std::make_shared<WorkerPass>(loader_, std::move(crew), standing_.start_pass());
    }
    keep_or_drop_crew();
    if (crew_ == nullptr) {
      crew_ = new_crew();
    }
    auto pass = std::make_shared<WorkerPass>(loader_, crew_, standing_.start_pass());
    current_ = pass;
    return pass;
  }

  // Takes the kept workers from the pass before; drops them when they cannot go on.
  void keep_or_drop_crew() {
    if (const auto before = current_.lock()) {
      before->supersede();
    }
    if (crew_ != nullptr && !crew_->is_broken()) {
      try {
        crew_->wait_for_abandoned(options().timeout);
      } catch (const TimeoutError&) {
        throw;  // the workers are only busy: the next begin() waits again
      } catch (...) {
        crew_.reset();
        throw;
      }
    } else {
      crew_.reset();
    }
  }

  std::shared_ptr<Crew> new_crew() {
    warn_of_many_workers();
    auto ring = claim_ring();
    const std::uint64_t base_seed = standing_.draw_base_seed();
    ring->ring().format_queues();
    const bool are_threads = options().worker_kind == WorkerKind::thread;
    return std::make_shared<Crew>(
        std::move(ring),
        worker::PoolPlan{.num_workers = static_cast<std::uint32_t>(options().num_workers),
                         .kind = options().worker_kind,
                         .fetcher = loader_->plan.fetcher,
                         .init_fn = options().worker_init_fn,
                         .hooks = loader_->plan.hooks,
                         .base_seed = base_seed,
                         .rank = options().rank,
                         .world = options().world,
                         .first_pass = standing_.next_pass(),
                         .stream_states = standing_.stream_states(),
                         .open_error = are_threads ? open_dataset(base_seed) : nullptr},
        options().in_order,
        loader_->diagnostics);
  }

  // The ring of an earlier pass if that is over, else a new one.
  engine::RingClaim claim_ring() {
    if (auto claim = engine::RingClaim::try_take(ring_)) {
      return *std::move(claim);
    }
    const auto num_slots = static_cast<std::uint32_t>(options().window() + engine::kMostLent);
    ring_ = std::make_shared<BatchRing>(
        ipc::RingPlan{.num_workers = static_cast<std::uint32_t>(options().num_workers),
                      .num_slots = num_slots,
                      .queue_capacity = std::bit_ceil(num_slots),
                      .in_one_process = options().worker_kind == WorkerKind::thread,
                      .max_bytes = options().max_ring_bytes});
    return engine::RingClaim::try_take(ring_).value();
  }

  void warn_of_many_workers() {
    const auto processors = sys::usable_processors();
    if (options().num_workers > processors) {
      loader_->diagnostics->warn(
          engine::Warning::kManyWorkers,
          fmt::format("this DataLoader has {} workers; the suggested maximum for the processors "
                      "that this process may use is {}, and excessive worker creation might get "
                      "DataLoader running slow or even freeze: lower num_workers",
                      options().num_workers,
                      processors));
    }
  }

  std::shared_ptr<LoaderState> loader_;
  std::shared_ptr<BatchRing> ring_;
  std::shared_ptr<Crew> crew_;  // persistent workers only
  std::weak_ptr<WorkerPass> current_;
  engine::Standing standing_;
  pid_t owner_ = sys::current_pid();
  bool opened_ = false;
  std::atomic<bool> busy_ = false;
};

Engine::Engine(EnginePlan plan) : impl_(std::make_unique<EngineImpl>(std::move(plan))) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

std::shared_ptr<Pass> Engine::begin() {
  return impl_->begin();
}
void Engine::set_epoch(std::size_t epoch) {
  impl_->set_epoch(epoch);
}
LoaderSnapshot Engine::snapshot() const {
  return impl_->snapshot();
}
void Engine::restore(LoaderSnapshot snapshot) {
  impl_->restore(std::move(snapshot));
}
void Engine::tell_length(std::size_t length) const {
  impl_->tell_length(length);
}
const ResolvedOptions& Engine::options() const noexcept {
  return impl_->options();
}

}  // namespace forklift::detail
