// SPDX-License-Identifier: MIT
#include "engine/standing.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/diagnostics.hpp"
#include "engine/resume.hpp"
#include "sys/caught.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {

using detail::LoaderSnapshot;

void Standing::set_epoch(std::size_t epoch) {
  if (const auto* pass = pass_to_resume()) {
    if (pass->epoch != epoch) {
      throw StateError(fmt::format(
          "the state that was loaded stopped within epoch {}, and set_epoch({}) would leave out "
          "the rest of it: iterate the loader first, or call set_epoch({})",
          pass->epoch,
          epoch,
          pass->epoch));
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

LoaderSnapshot Standing::snapshot(bool keeps_workers) const {
  if (to_resume_.has_value()) {
    return *to_resume_;
  }
  LoaderSnapshot out = describe(options(), std::nullopt);
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
    if (keeps_workers) {
      out.base_seed = base_seed_;  // the workers have theirs and stay
    }
    out.dataset_size = dataset_size();
    out.told_epoch = told_epoch_;
    remember_streams(out);
    out.source.reset();  // the next pass draws from the program's own
  }
  return out;
}

void Standing::restore(LoaderSnapshot snapshot) {
  const auto dataset_size = this->dataset_size();
  if (snapshot == LoaderSnapshot{}) {  // the state of no loader: start afresh
    snapshot = describe(options(), dataset_size);
    remember_streams(snapshot);
    snapshot.source.reset();
  }
  check_fits(snapshot, options(), dataset_size);
  if (!loader_->plan.fetcher->has_separate_streams()) {
    check_one_stream_each(snapshot, options());
  }
  restore_streams(snapshot, options());
  to_resume_ = std::move(snapshot);
}

std::vector<std::optional<std::string>> Standing::stream_states() const {
  const auto* pass = pass_to_resume();
  return pass != nullptr ? pass->streams : std::vector<std::optional<std::string>>();
}

const detail::PassSnapshot* Standing::pass_to_resume() const noexcept {
  return to_resume_.has_value() && to_resume_->pass.has_value() ? &*to_resume_->pass : nullptr;
}

// What was taken elsewhere is left out of the pass that is about to begin.
void Standing::resume() {
  if (to_resume_->told_epoch.has_value()) {
    tell_sampler(static_cast<std::size_t>(*to_resume_->told_epoch));
  }
  restore_streams(*to_resume_, options());
  const auto* pass = pass_to_resume();
  next_epoch_ = pass != nullptr ? pass->epoch : to_resume_->next_epoch;
  sample_seed_ = to_resume_->sample_seed;
  if (pass != nullptr && reads_again(*pass)) {
    loader_->diagnostics->warn(
        Warning::kFastForward,
        fmt::format("the streams of the iterable dataset have no state() and restore(): to go on "
                    "behind batch {} they are read again from their beginning",
                    pass->batches));
  }
}

// What set_epoch() said when the pass had begun already is of the passes after it.
void Standing::has_begun() {
  if (pass_to_resume() != nullptr) {
    next_epoch_ = to_resume_->next_epoch;
    if (to_resume_->told_later.has_value() && to_resume_->told_later != told_epoch_) {
      tell_sampler(static_cast<std::size_t>(*to_resume_->told_later));
    }
  }
  to_resume_.reset();
}

void Standing::tell_sampler(std::size_t epoch) {
  told_epoch_ = epoch;
  if (!options().is_iterable) {
    options().batches.set_epoch(epoch);
  }
}

// A size() that throws fails where the sampler asks for it.
std::optional<std::uint64_t> Standing::dataset_size_or_none() const {
  try {
    return dataset_size();
  } catch (...) {
    static_cast<void>(sys::caught());
    return std::nullopt;
  }
}
std::optional<std::uint64_t> Standing::dataset_size() const {
  const auto& size = loader_->plan.dataset_size;
  return size ? std::optional(size()) : std::nullopt;
}

std::string Standing::sampler_state() const {
  return options().is_iterable ? std::string() : options().batches.state_dict();
}
void Standing::remember_streams(LoaderSnapshot& out) const {
  if (options().generator.has_value()) {
    out.generator = options().generator->get_state();
  }
  if (!options().is_iterable) {
    source_.with_generator([&](const Generator& source) { out.source = source.get_state(); });
  }
  out.sampler_state = sampler_state();
}

std::uint64_t Standing::draw_base_seed() {
  if (to_resume_.has_value() && to_resume_->base_seed.has_value()) {
    base_seed_ = *to_resume_->base_seed;
  } else {
    auto generator = options().generator;
    base_seed_ =
        generator.has_value() ? generator->random63() : loader_->plan.hooks.random.random63();
  }
  if (!sample_seed_.has_value()) {
    sample_seed_ = base_seed_;
  }
  return base_seed_;
}

// After the base seed was drawn, before the sampler draws anything.
PassStart Standing::start_pass() {
  source_ = loader_->plan.hooks.random;
  const auto* taken = pass_to_resume();
  if (taken != nullptr && to_resume_->source.has_value()) {
    source_.copy = std::make_shared<Generator>();
    source_.copy->set_state(*to_resume_->source);
  }
  remember_streams(before_pass_);
  before_pass_.told_epoch = told_epoch_;
  before_pass_.dataset_size = dataset_size_or_none();
  epoch_ = next_epoch_++;
  progress_ = taken != nullptr ? std::make_shared<Progress>(*taken) : std::make_shared<Progress>();
  return {.pass = ++num_passes_,
          .epoch = epoch_,
          .sample_seed = *sample_seed_,
          .base_seed = base_seed_,
          .source = source_,
          .progress = progress_};
}

}  // namespace forklift::engine
