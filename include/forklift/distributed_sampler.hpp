// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <forklift/count.hpp>
#include <forklift/detail/index_array.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/shared_passes.hpp>
#include <forklift/detail/taken.hpp>
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
    Cursor(const detail::SharedPasses::Pass& pass, std::size_t length)
        : pass_(pass),
          length_(length) {}
    std::optional<std::size_t> next() {
      const auto position = pass_.positions.next();
      if (!pass_.seed.has_value()) {
        return position;
      }
      if (!position.has_value()) {
        order_.clear();
        return std::nullopt;
      }
      if (!is_permuted_) [[unlikely]] {
        permute();
      }
      return order_[*position];
    }

    /// Passes over `count` indices, or those that are left; returns how many.
    std::size_t skip(std::size_t count) noexcept { return pass_.positions.skip(count); }

   private:
    void permute();

    detail::SharedPasses::Pass pass_;
    std::size_t length_;
    bool is_permuted_ = false;
    detail::IndexArray order_;
  };

  /// `size` is the number of elements: an integer, or a function that is asked for it here, once.
  /// Errors: InvalidOptions if num_replicas is 0 or less, or rank is not in 0..num_replicas-1.
  DistributedSampler(const detail::SizeSource& size, DistributedSamplerOptions options);

  /// Begins a pass: a whole one, or the rest of the one whose state was loaded.
  [[nodiscard]] Cursor iterate() { return {passes_.begin(), passes_.length()}; }
  /// Indices in one whole pass.
  [[nodiscard]] std::size_t size() const noexcept { return passes_.size(); }
  /// The epoch of the passes that begin from now on.
  void set_epoch(std::size_t epoch) noexcept { passes_.set_epoch(epoch); }
  /// Seed, number of elements, num_replicas, rank, epoch and where the next pass begins, as text.
  [[nodiscard]] std::string state_dict() const { return passes_.state_dict(); }
  /// Takes the epoch; any rank may take the state of any other. Errors: StateError that names both
  /// values for another seed, number of elements or num_replicas.
  void load_state_dict(const std::string& state) { passes_.load_state_dict(state); }
  /// As a loader hands it on, which has `taken` so much of the pass. What the `num_replicas` of the
  /// state have taken together, each as much, is left out of the next pass; the rest is shared by
  /// those of this sampler, perhaps more or fewer. Errors: StateError that names both values for
  /// another seed or number of elements; where batches were taken out of order also for another
  /// num_replicas or rank.
  void load_state_dict(const std::string& state, const detail::Taken& taken) {
    passes_.load_state_dict(state, taken);
  }
  /// True: an index that comes twice comes in the shares of two processes.
  [[nodiscard]] static constexpr bool indices_are_unique() noexcept { return true; }

 private:
  detail::SharedPasses passes_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<DistributedSampler> = true;
}  // namespace detail

}  // namespace forklift
