// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/rank_share.hpp>
#include <forklift/detail/sampler_state.hpp>
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
    Cursor(detail::WeightedDraw weights, detail::RankShare share, std::uint64_t seed);
    std::optional<std::size_t> next();

   private:
    detail::WeightedDraw weights_;
    detail::RankShare share_;
    std::uint64_t seed_;
    std::optional<detail::WeightedPass> pass_;
    std::size_t next_ = 0;
    std::size_t end_;
  };

  /// `num_samples` is what all processes draw together in one pass. Errors: InvalidOptions for what
  /// WeightedRandomSampler refuses, if num_replicas is 0 or less, or if rank is not in
  /// 0..num_replicas-1.
  DistributedWeightedSampler(std::vector<double> weights,
                             Count num_samples,
                             DistributedWeightedSamplerOptions options);

  [[nodiscard]] Cursor iterate() const { return {weights_, share_, seed_ + epoch_}; }
  /// Indices in one pass of this process.
  [[nodiscard]] std::size_t size() const noexcept { return share_.size(); }
  /// The epoch of the passes that begin from now on.
  void set_epoch(std::size_t epoch) noexcept { epoch_ = epoch; }
  /// Seed, num_replicas and epoch as text.
  [[nodiscard]] std::string state_dict() const;
  /// Takes the epoch. Errors: StateError that names both values for another seed or num_replicas;
  /// any rank may take the state of any other.
  void load_state_dict(const std::string& state);
  /// True without replacement.
  [[nodiscard]] bool indices_are_unique() const noexcept { return !weights_.replacement(); }

 private:
  [[nodiscard]] detail::EpochState own_state() const noexcept;

  detail::WeightedDraw weights_;
  detail::RankShare share_;
  std::uint64_t seed_;
  std::size_t epoch_ = 0;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<DistributedWeightedSampler> = true;
}  // namespace detail

}  // namespace forklift
