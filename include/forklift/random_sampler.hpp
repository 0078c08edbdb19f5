// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <forklift/count.hpp>
#include <forklift/detail/index_array.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/sampler_state.hpp>
#include <forklift/generator.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

/// Options of RandomSampler, in PyTorch's order.
struct RandomSamplerOptions {
  /// Draw each index from all of them, so that indices may repeat.
  bool replacement = false;
  /// Indices in one pass; the number of elements if not given.
  std::optional<Count> num_samples = std::nullopt;
  /// Used directly, its state goes on over the passes. Without one, each pass has a private
  /// generator, seeded by a draw from the default generator.
  std::optional<Generator> generator = std::nullopt;
};

/// Indices in PyTorch's random order. Nothing is drawn before the first index is asked for; a pass
/// without replacement that is asked for an index after its last one draws one more permutation and
/// drops it, as PyTorch does. The draws of a permutation are made when its first index is asked
/// for, from 2^20 to 214,748,364 elements its swaps as indices are. Memory: 4 bytes for each
/// element during a pass, 8 from 2^32 elements on; none with replacement. Source: PyTorch 2.15
/// torch/utils/data/sampler.py, RandomSampler.
class RandomSampler {
 public:
  /// One pass.
  /// Errors of next(): InvalidOptions if there are no elements to draw from; whatever the size
  /// function throws.
  class Cursor {
   public:
    Cursor(detail::SizeSource size, RandomSamplerOptions options, detail::RandomSource source);
    std::optional<std::size_t> next() {
      if (position_ == available_ && !refill()) {
        return std::nullopt;
      }
      return indices_[position_++];
    }

    /// Passes over `count` indices, or those that are left; returns how many.
    std::size_t skip(std::size_t count);

   private:
    enum class Stage : std::uint8_t { kNotStarted, kDrawing, kEnded };

    bool refill();
    void start();
    bool refill_chunk();
    bool refill_permutation();

    detail::SizeSource size_source_;
    RandomSamplerOptions options_;
    detail::RandomSource source_;
    Stage stage_ = Stage::kNotStarted;
    bool generator_is_private_ = false;
    std::size_t size_ = 0;
    std::size_t remaining_ = 0;  // indices not yet drawn
    std::size_t position_ = 0;   // in indices_
    std::size_t available_ = 0;
    detail::IndexArray indices_;
  };

  /// `size` is the number of elements: an integer, or a function that is asked for it in each pass.
  /// Errors: InvalidOptions if num_samples, given or not, is 0 or less.
  explicit RandomSampler(detail::SizeSource size, RandomSamplerOptions options = {});

  [[nodiscard]] Cursor iterate() const { return iterate(detail::RandomSource{}); }
  /// `source` is drawn from where there is no generator.
  [[nodiscard]] Cursor iterate(const detail::RandomSource& source) const {
    return {size_, options_, source};
  }
  /// Indices in one pass.
  [[nodiscard]] std::size_t size() const;
  /// The generator's state as text; empty without one.
  [[nodiscard]] std::string state_dict() const { return detail::state_text(options_.generator); }
  /// Errors: StateError for what is no state of a sampler with such a generator.
  void load_state_dict(const std::string& state) {
    detail::load_state_text(options_.generator, state);
  }
  /// True without replacement if a pass is not longer than the number of elements.
  [[nodiscard]] bool indices_are_unique() const;

 private:
  detail::SizeSource size_;
  RandomSamplerOptions options_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<RandomSampler> = true;
}  // namespace detail

}  // namespace forklift
