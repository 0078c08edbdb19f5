// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/loader_state.hpp"
#include "engine/progress.hpp"

#include <forklift/detail/loader_snapshot.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/resolved_options.hpp>

namespace forklift::engine {

/// Where a loader stands: its epochs and seeds, what was taken of its most recent pass, and a
/// snapshot that the next pass is to go on from. Order of a begin(): resume(), draw_base_seed(),
/// start_pass(), the pass, has_begun(). Thread: one at a time.
class Standing {
 public:
  explicit Standing(std::shared_ptr<LoaderState> loader) : loader_(std::move(loader)) {}

  /// Errors: StateError for another epoch than that of a pass that is to be gone on with.
  void set_epoch(std::size_t epoch);
  /// `keeps_workers`: there are some that the next pass will use, with the seeds they have.
  [[nodiscard]] detail::LoaderSnapshot snapshot(bool keeps_workers) const;
  /// Errors: StateError, and nothing is changed, for a snapshot of another kind of loader.
  void restore(detail::LoaderSnapshot snapshot);

  [[nodiscard]] bool is_restored() const noexcept { return to_resume_.has_value(); }
  /// What was taken elsewhere is left out of the pass that is about to begin.
  void resume();
  [[nodiscard]] std::uint64_t draw_base_seed();
  /// After the base seed was drawn, before the sampler draws anything.
  [[nodiscard]] PassStart start_pass();
  /// The number that start_pass() will give.
  [[nodiscard]] std::uint32_t next_pass() const noexcept { return num_passes_ + 1; }
  /// Where the streams of the workers go on from; may be empty.
  [[nodiscard]] std::vector<std::optional<std::string>> stream_states() const;
  void has_begun();

 private:
  [[nodiscard]] const detail::ResolvedOptions& options() const noexcept {
    return loader_->plan.options;
  }
  /// What was taken of the pass that is to be gone on with; null when there is none.
  [[nodiscard]] const detail::PassSnapshot* pass_to_resume() const noexcept;
  void tell_sampler(std::size_t epoch);
  [[nodiscard]] std::optional<std::uint64_t> dataset_size() const;
  [[nodiscard]] std::optional<std::uint64_t> dataset_size_or_none() const;
  [[nodiscard]] std::string sampler_state() const;
  void remember_streams(detail::LoaderSnapshot& out) const;

  std::shared_ptr<LoaderState> loader_;
  std::uint32_t num_passes_ = 0;
  std::uint64_t next_epoch_ = 0;
  std::optional<std::uint64_t> sample_seed_;
  // Of the most recent pass.
  std::uint64_t epoch_ = 0;
  std::uint64_t base_seed_ = 0;
  std::shared_ptr<Progress> progress_;
  std::optional<std::uint64_t> told_epoch_;  // by set_epoch()
  detail::RandomSource source_;
  detail::LoaderSnapshot before_pass_;               // its random streams only
  std::optional<detail::LoaderSnapshot> to_resume_;  // until the next begin()
};

}  // namespace forklift::engine
