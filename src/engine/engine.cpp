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
#include <string>
#include <utility>
#include <vector>

#include "engine/batch_ring.hpp"
#include "engine/crew.hpp"
#include "engine/diagnostics.hpp"
#include "engine/inline_pass.hpp"
#include "engine/loader_state.hpp"
#include "engine/progress.hpp"
#include "engine/resume.hpp"
#include "engine/slot_table.hpp"
#include "engine/worker_pass.hpp"
#include "sys/cancellation.hpp"
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
            LoaderState{.plan = std::move(plan), .diagnostics = nullptr})) {
    loader_->diagnostics = std::make_shared<engine::Diagnostics>(options().on_warning);
    warn_of_many_workers();
  }

  std::shared_ptr<Pass> begin() {
    const engine::OneAtATime guard(busy_);
    forget_other_process();
    if (to_resume_.has_value()) {
      resume();
    }
    auto pass = options().num_workers == 0 ? begin_inline() : begin_with_workers();
    if (to_resume_.has_value()) {
      take_up_what_came_later();
    }
    return pass;
  }

  void set_epoch(std::size_t epoch) {
    const engine::OneAtATime guard(busy_);
    if (to_resume_.has_value() && to_resume_->pass.has_value()) {
      if (to_resume_->pass->epoch != epoch) {
        throw StateError(fmt::format(
            "the state that was loaded stopped within epoch {}, and set_epoch({}) would leave out "
            "the rest of it: iterate the loader first, or call set_epoch({})",
            to_resume_->pass->epoch,
            epoch,
            to_resume_->pass->epoch));
      }
      tell_sampler(epoch);
      return;
    }
    next_epoch_ = epoch;
    tell_sampler(epoch);
    if (to_resume_.has_value()) {
      to_resume_->next_epoch = epoch;
      to_resume_->sampler_state = sampler_state();
    }
  }

  LoaderSnapshot snapshot() {
    const engine::OneAtATime guard(busy_);
    if (to_resume_.has_value()) {
      return *to_resume_;
    }
    LoaderSnapshot out = engine::describe(options(), std::nullopt);
    out.next_epoch = next_epoch_;
    out.told_later = told_epoch_;
    out.sample_seed = sample_seed_;
    if (progress_ != nullptr && !progress_->is_finished()) {
      out.base_seed = base_seed_;
      out.pass = progress_->snapshot(epoch_);
      out.dataset_size = before_pass_.dataset_size;
      out.told_epoch = before_pass_.told_epoch;
      out.generator = before_pass_.generator;
      out.source = before_pass_.source;
      out.sampler_state = before_pass_.sampler_state;
    } else {
      if (crew_ != nullptr && !crew_->is_broken()) {
        out.base_seed = base_seed_;  // the workers have theirs and stay
      }
      out.dataset_size = dataset_size();
      out.told_epoch = told_epoch_;
      remember_streams(out);
      out.source.reset();  // the next pass draws from the program's own
    }
    return out;
  }

  void restore(LoaderSnapshot snapshot) {
    const engine::OneAtATime guard(busy_);
    const auto dataset_size = this->dataset_size();
    if (snapshot == LoaderSnapshot{}) {  // the state of no loader: start afresh
      snapshot = engine::describe(options(), dataset_size);
      remember_streams(snapshot);
      snapshot.source.reset();
    }
    engine::check_fits(snapshot, options(), dataset_size);
    engine::restore_streams(snapshot, options());
    to_resume_ = std::move(snapshot);
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

  std::shared_ptr<Pass> begin_inline() {
    auto ring = claim_ring();
    auto open_error = open_dataset(draw_base_seed());
    return std::make_shared<InlinePass>(
        loader_, std::move(ring), start_pass(), std::move(open_error));
  }

  // Once, unless it throws: that error answers every batch of the pass, as with workers, and the
  // next pass tries again.
  std::exception_ptr open_dataset(std::uint64_t base_seed) {
    try {
      if (!opened_) {
        loader_->main_info = {.id = 0, .num_workers = 1, .seed = base_seed};
        loader_->plan.fetcher->open(loader_->main_info);
        opened_ = true;
      }
      return nullptr;
    } catch (...) {
      if (std::current_exception() == nullptr) {
        throw;  // a forced unwind (pthread_exit) must go on
      }
      return std::current_exception();
    }
  }

  std::shared_ptr<Pass> begin_with_workers() {
    const sys::CancellationOff off;
    if (!options().persistent_workers) {
      auto crew = new_crew();  // first: it draws the seed that the pass starts with
      return std::make_shared<WorkerPass>(loader_, std::move(crew), start_pass());
    }
    keep_or_drop_crew();
    if (crew_ == nullptr) {
      crew_ = new_crew();
    }
    auto pass = std::make_shared<WorkerPass>(loader_, crew_, start_pass());
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
    const std::uint64_t base_seed = draw_base_seed();
    ring->ring().format_queues();
    return std::make_shared<Crew>(
        std::move(ring),
        worker::PoolPlan{.num_workers = static_cast<std::uint32_t>(options().num_workers),
                         .fetcher = loader_->plan.fetcher,
                         .init_fn = options().worker_init_fn,
                         .hooks = loader_->plan.hooks,
                         .base_seed = base_seed,
                         .stream_states = stream_states()},
        options().in_order,
        loader_->diagnostics);
  }

  [[nodiscard]] std::vector<std::optional<std::string>> stream_states() const {
    return to_resume_.has_value() && to_resume_->pass.has_value()
               ? to_resume_->pass->streams
               : std::vector<std::optional<std::string>>();
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
                      .max_bytes = options().max_ring_bytes});
    return engine::RingClaim::try_take(ring_).value();
  }

  // What was taken elsewhere is left out of the pass that is about to begin.
  void resume() {
    if (const auto before = current_.lock()) {
      before->supersede();
    }
    crew_.reset();  // kept workers have other seeds
    if (to_resume_->told_epoch.has_value()) {
      tell_sampler(static_cast<std::size_t>(*to_resume_->told_epoch));
    }
    engine::restore_streams(*to_resume_, options());
    next_epoch_ = to_resume_->pass.has_value() ? to_resume_->pass->epoch : to_resume_->next_epoch;
    sample_seed_ = to_resume_->sample_seed;
    if (to_resume_->pass.has_value() && engine::reads_again(*to_resume_->pass)) {
      loader_->diagnostics->warn(
          engine::Warning::kFastForward,
          fmt::format("the streams of the iterable dataset have no state() and restore(): to go on "
                      "behind batch {} they are read again from their beginning",
                      to_resume_->pass->batches));
    }
  }

  // What set_epoch() said when the pass had begun already is of the passes after it.
  void take_up_what_came_later() {
    if (to_resume_->pass.has_value()) {
      next_epoch_ = to_resume_->next_epoch;
      if (to_resume_->told_later.has_value() && to_resume_->told_later != told_epoch_) {
        tell_sampler(static_cast<std::size_t>(*to_resume_->told_later));
      }
    }
    to_resume_.reset();
  }

  void tell_sampler(std::size_t epoch) {
    told_epoch_ = epoch;
    if (!options().is_iterable) {
      options().batches.set_epoch(epoch);
    }
  }

  // A size() that throws fails where the sampler asks for it.
  [[nodiscard]] std::optional<std::uint64_t> dataset_size_or_none() const {
    try {
      return dataset_size();
    } catch (...) {
      if (std::current_exception() == nullptr) {
        throw;  // a forced unwind (pthread_exit) must go on
      }
      return std::nullopt;
    }
  }
  [[nodiscard]] std::optional<std::uint64_t> dataset_size() const {
    const auto& size = loader_->plan.dataset_size;
    return size ? std::optional(size()) : std::nullopt;
  }

  [[nodiscard]] std::string sampler_state() const {
    return options().is_iterable ? std::string() : options().batches.state_dict();
  }
  void remember_streams(LoaderSnapshot& out) const {
    if (options().generator.has_value()) {
      out.generator = options().generator->get_state();
    }
    if (!options().is_iterable) {
      source_.with_generator([&](const Generator& source) { out.source = source.get_state(); });
    }
    out.sampler_state = sampler_state();
  }

  std::uint64_t draw_base_seed() {
    if (to_resume_.has_value() && to_resume_->base_seed.has_value()) {
      base_seed_ = *to_resume_->base_seed;
      if (!sample_seed_.has_value()) {
        sample_seed_ = base_seed_;
      }
      return base_seed_;
    }
    auto generator = options().generator;
    const std::uint64_t seed =
        generator.has_value() ? generator->random63() : loader_->plan.hooks.random.random63();
    if (!sample_seed_.has_value()) {
      sample_seed_ = seed;
    }
    base_seed_ = seed;
    return seed;
  }

  // After the base seed was drawn, before the sampler draws anything.
  PassStart start_pass() {
    source_ = loader_->plan.hooks.random;
    if (to_resume_.has_value() && to_resume_->pass.has_value() && to_resume_->source.has_value()) {
      source_.copy = std::make_shared<Generator>();
      source_.copy->set_state(*to_resume_->source);
    }
    remember_streams(before_pass_);
    before_pass_.told_epoch = told_epoch_;
    before_pass_.dataset_size = dataset_size_or_none();
    epoch_ = next_epoch_++;
    progress_ = to_resume_.has_value() && to_resume_->pass.has_value()
                    ? std::make_shared<engine::Progress>(*to_resume_->pass)
                    : std::make_shared<engine::Progress>();
    return {.pass = ++num_passes_,
            .epoch = epoch_,
            .sample_seed = *sample_seed_,
            .base_seed = base_seed_,
            .source = source_,
            .progress = progress_};
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
  std::uint32_t num_passes_ = 0;
  std::uint64_t next_epoch_ = 0;
  std::optional<std::uint64_t> sample_seed_;
  // Of the most recent pass.
  std::uint64_t epoch_ = 0;
  std::uint64_t base_seed_ = 0;
  std::shared_ptr<engine::Progress> progress_;
  std::optional<std::uint64_t> told_epoch_;  // by set_epoch()
  RandomSource source_;
  LoaderSnapshot before_pass_;               // its random streams only
  std::optional<LoaderSnapshot> to_resume_;  // until the next begin()
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
