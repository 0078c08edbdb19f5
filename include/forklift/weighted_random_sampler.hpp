// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/sampler_state.hpp>
#include <forklift/detail/weighted_draw.hpp>
#include <forklift/generator.hpp>

namespace forklift {

/// Options of WeightedRandomSampler, in PyTorch's order.
struct WeightedRandomSamplerOptions {
  /// Draw each index from all of them, so that indices may repeat.
  bool replacement = true;
  /// Used directly, its state goes on over the passes. Without one, each pass draws from the
  /// default generator itself.
  std::optional<Generator> generator = std::nullopt;
};

/// Indices 0..weights.size()-1, drawn with probabilities in proportion to the weights, as PyTorch
/// draws them. Nothing is drawn before the first index is asked for; then the generator moves past
/// the draws of the whole pass, two words for each. Without replacement an index of weight 0 comes
/// only when there are no others left.
///
/// What differs from PyTorch: weights are checked when the sampler is made, not in each pass, and
/// there may be more than 2^24 of them. Equal ones of weight 0 come lowest first; PyTorch leaves
/// their order open. Memory: the vector of weights, shared by all copies and passes; with
/// replacement nothing more; else, and for one sample, 4 bytes for each sample during a pass, and
/// up to 32 while it is drawn. Source: PyTorch 2.15 torch/utils/data/sampler.py,
/// WeightedRandomSampler, and at::multinomial on the CPU.
class WeightedRandomSampler {
 public:
  /// One pass.
  class Cursor {
   public:
    Cursor(detail::WeightedDraw weights,
           WeightedRandomSamplerOptions options,
           detail::RandomSource source);
    std::optional<std::size_t> next();

   private:
    void start();

    detail::WeightedDraw weights_;
    WeightedRandomSamplerOptions options_;
    detail::RandomSource source_;
    std::optional<detail::WeightedPass> pass_;
    std::size_t position_ = 0;
    std::size_t end_;
  };

  /// Errors: InvalidOptions if there are no weights, if one is negative, infinite or NaN, if all
  /// are 0, if they are drawn with replacement and their sum is infinite, if num_samples is 0 or
  /// less, or greater than the number of weights without replacement.
  WeightedRandomSampler(std::vector<double> weights,
                        Count num_samples,
                        WeightedRandomSamplerOptions options = {});

  [[nodiscard]] Cursor iterate() const { return iterate(detail::RandomSource{}); }
  /// `source` is drawn from where there is no generator.
  [[nodiscard]] Cursor iterate(const detail::RandomSource& source) const {
    return {weights_, options_, source};
  }
  /// Indices in one pass.
  [[nodiscard]] std::size_t size() const noexcept { return weights_.num_samples(); }
  /// The generator's state as text; empty without one.
  [[nodiscard]] std::string state_dict() const { return detail::state_text(options_.generator); }
  /// Errors: StateError for what is no state of a sampler with such a generator.
  void load_state_dict(const std::string& state) {
    detail::load_state_text(options_.generator, state);
  }
  /// True without replacement.
  [[nodiscard]] bool indices_are_unique() const noexcept { return !options_.replacement; }

 private:
  detail::WeightedDraw weights_;
  WeightedRandomSamplerOptions options_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<WeightedRandomSampler> = true;
}  // namespace detail

}  // namespace forklift
