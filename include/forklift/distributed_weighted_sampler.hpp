// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/shared_passes.hpp>
#include <forklift/detail/taken.hpp>
#include <forklift/detail/weighted_draw.hpp>

namespace forklift {

/// Options of DistributedWeightedSampler.
struct DistributedWeightedSamplerOptions {
  /// Processes that share the samples.
  Count num_replicas;
  /// The one of them that this is, 0..num_replicas-1.
  Count rank;
  /// Draw each index from all of them, so that indices may repeat.
  bool replacement = true;
  /// Must be the same in all processes.
  std::uint64_t seed = 0;
  /// Where the samples do not divide evenly, drop the last ones. Otherwise the first ones come
  /// twice.
  bool drop_last = false;
};

/// The share of one process in a weighted draw. All processes make the same draw: that of a
/// WeightedRandomSampler whose generator was seeded with seed + epoch. It is dealt out as
/// DistributedSampler deals out a dataset: sample rank, rank + num_replicas, ..., repeated or cut
/// until all have equally many. Without set_epoch() each pass has the order of epoch 0.
///
/// PyTorch has no such sampler. Memory: as WeightedRandomSampler. Time: with replacement each index
/// skips the draws of the other processes, two words for each of them.
class DistributedWeightedSampler {
 public:
  /// One pass, of the epoch that was set when it began.
  class Cursor {
   public:
    Cursor(detail::WeightedDraw weights, const detail::SharedPasses::Pass& pass)
        : weights_(std::move(weights)),
          pass_(pass) {}
    std::optional<std::size_t> next();
    /// Passes over `count` indices, or those that are left; returns how many.
    std::size_t skip(std::size_t count) noexcept { return pass_.positions.skip(count); }

   private:
    detail::WeightedDraw weights_;
    detail::SharedPasses::Pass pass_;
    std::optional<detail::WeightedPass> draws_;
    std::size_t end_ = 0;  // of the draws that were made
  };

  /// `num_samples` is what all processes draw together in one pass. Errors: InvalidOptions for what
  /// WeightedRandomSampler refuses, if num_replicas is 0 or less, or if rank is not in
  /// 0..num_replicas-1.
  DistributedWeightedSampler(std::vector<double> weights,
                             Count num_samples,
                             DistributedWeightedSamplerOptions options);

  /// Begins a pass: a whole one, or the rest of the one whose state was loaded.
  [[nodiscard]] Cursor iterate() { return {weights_, passes_.begin()}; }
  /// Indices in one whole pass of this process.
  [[nodiscard]] std::size_t size() const noexcept { return passes_.size(); }
  /// The epoch of the passes that begin from now on.
  void set_epoch(std::size_t epoch) noexcept { passes_.set_epoch(epoch); }
  /// As DistributedSampler's, with num_samples for the number of elements.
  [[nodiscard]] std::string state_dict() const { return passes_.state_dict(); }
  void load_state_dict(const std::string& state) { passes_.load_state_dict(state); }
  void load_state_dict(const std::string& state, const detail::Taken& taken) {
    passes_.load_state_dict(state, taken);
  }
  /// True without replacement.
  [[nodiscard]] bool indices_are_unique() const noexcept { return !weights_.replacement(); }

 private:
  detail::WeightedDraw weights_;
  detail::SharedPasses passes_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<DistributedWeightedSampler> = true;
}  // namespace detail

}  // namespace forklift
