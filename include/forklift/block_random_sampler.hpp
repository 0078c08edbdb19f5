// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <forklift/count.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/keyed_permutation.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/sampler_state.hpp>
#include <forklift/generator.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

/// Options of BlockRandomSampler.
struct BlockRandomSamplerOptions {
  /// Indices in one pass; the number of elements if not given. If more, another permutation
  /// follows.
  std::optional<Count> num_samples = std::nullopt;
  /// Gives each pass its key, two words. Without one, the default generator does.
  std::optional<Generator> generator = std::nullopt;
};

/// Indices in a random order that is computed where it is needed, for datasets whose permutation
/// would not fit the memory or whose first index would come too late: the order is a block
/// cipher's. The order is not PyTorch's; RandomSampler has that one.
///
/// Nothing is drawn before the first index is asked for. Memory: none, whatever the size. Time: the
/// same for the first index, for each next one and for a seek: 9 ns for 10^9 elements, 40 for a
/// size just over a power of two. Source: see detail::KeyedPermutation.
class BlockRandomSampler {
 public:
  /// One pass. Errors of next(): InvalidOptions if num_samples was given and there are no elements;
  /// whatever the size function throws.
  class Cursor {
   public:
    Cursor(detail::SizeSource size, BlockRandomSamplerOptions options, detail::RandomSource source);
    std::optional<std::size_t> next() {
      if (position_ >= end_ && !start()) {
        return std::nullopt;
      }
      // Also where a seek went back: the difference is huge then.
      if (position_ - first_ >= size_) {
        enter_permutation();
      }
      return static_cast<std::size_t>(order_(position_++ - first_));
    }
    /// The next index is that of `position` in the pass, counted from 0; from the end on there is
    /// none. Going back is allowed.
    void seek(std::size_t position) noexcept { position_ = position; }

    /// Passes over `count` indices, or those that are left; returns how many.
    std::size_t skip(std::size_t count);

   private:
    bool start();
    void enter_permutation() noexcept;

    detail::SizeSource size_source_;
    BlockRandomSamplerOptions options_;
    detail::RandomSource source_;
    bool started_ = false;
    std::uint64_t key_ = 0;
    std::size_t size_ = 0;
    std::size_t position_ = 0;
    std::size_t end_ = 0;
    std::size_t first_ = 0;  // position of the first index of order_
    detail::KeyedPermutation order_;
  };

  /// `size` is the number of elements: an integer, or a function that is asked for it in each pass.
  /// Errors: InvalidOptions if num_samples is 0 or less.
  explicit BlockRandomSampler(detail::SizeSource size, BlockRandomSamplerOptions options = {});

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
  /// True if a pass is not longer than the number of elements.
  [[nodiscard]] bool indices_are_unique() const { return size() <= size_(); }

 private:
  detail::SizeSource size_;
  BlockRandomSamplerOptions options_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<BlockRandomSampler> = true;
}  // namespace detail

}  // namespace forklift
