// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <forklift/count.hpp>
#include <forklift/detail/index_array.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/rank_share.hpp>
#include <forklift/detail/sampler_state.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

/// Options of DistributedSampler, in PyTorch's order. The first two must be given: Forklift knows
/// no process group to ask.
struct DistributedSamplerOptions {
  /// Processes that share the elements.
  Count num_replicas;
  /// The one of them that this is, 0..num_replicas-1.
  Count rank;
  /// Shuffle anew in each epoch, by a permutation that seed and epoch decide.
  bool shuffle = true;
  /// Must be the same in all processes.
  std::uint64_t seed = 0;
  /// Where the elements do not divide evenly, drop the last ones. Otherwise the first ones come
  /// twice.
  bool drop_last = false;
};

/// The share of one process in the indices of a dataset, in PyTorch's order. All shares are equally
/// long, and together they hold every index, but for what drop_last drops. No generator but a
/// private one is drawn from. Without set_epoch() each pass has the order of epoch 0.
///
/// Memory: with shuffle 4 bytes for each element of the dataset during a pass, 8 from 2^32 on; else
/// none. Source: PyTorch 2.15 torch/utils/data/distributed.py, DistributedSampler.
class DistributedSampler {
 public:
  /// One pass, of the epoch that was set when it began.
  class Cursor {
   public:
    /// `seed` decides the permutation; without one there is none.
    Cursor(detail::RankShare share, std::optional<std::uint64_t> seed);
    std::optional<std::size_t> next() {
      if (next_ == available_ && !start()) {
        return std::nullopt;
      }
      const std::size_t position = share_.position(next_++);
      return seed_.has_value() ? order_[position] : position;
    }

    /// Passes over `count` indices, or those that are left; returns how many.
    std::size_t skip(std::size_t count);

   private:
    bool start();

    detail::RankShare share_;
    std::optional<std::uint64_t> seed_;
    bool started_ = false;
    std::size_t next_ = 0;
    std::size_t available_ = 0;
    detail::IndexArray order_;
  };

  /// `size` is the number of elements: an integer, or a function that is asked for it here, once.
  /// Errors: InvalidOptions if num_replicas is 0 or less, or rank is not in 0..num_replicas-1.
  DistributedSampler(const detail::SizeSource& size, DistributedSamplerOptions options);

  [[nodiscard]] Cursor iterate() const;
  /// Indices in one pass.
  [[nodiscard]] std::size_t size() const noexcept { return share_.size(); }
  /// The epoch of the passes that begin from now on.
  void set_epoch(std::size_t epoch) noexcept { epoch_ = epoch; }
  /// Seed, num_replicas and epoch as text.
  [[nodiscard]] std::string state_dict() const;
  /// Takes the epoch. Errors: StateError that names both values for another seed or num_replicas;
  /// any rank may take the state of any other.
  void load_state_dict(const std::string& state);
  /// True: an index that comes twice comes in the shares of two processes.
  [[nodiscard]] static constexpr bool indices_are_unique() noexcept { return true; }

 private:
  [[nodiscard]] detail::EpochState own_state() const noexcept;

  detail::RankShare share_;
  std::optional<std::uint64_t> seed_;
  std::size_t epoch_ = 0;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<DistributedSampler> = true;
}  // namespace detail

}  // namespace forklift
