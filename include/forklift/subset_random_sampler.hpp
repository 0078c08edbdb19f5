// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/index_array.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/sampler_state.hpp>
#include <forklift/generator.hpp>
#include <forklift/sampler.hpp>

namespace forklift {

/// Options of SubsetRandomSampler.
struct SubsetRandomSamplerOptions {
  /// Used directly, its state goes on over the passes. Without one, each pass draws from the
  /// default generator itself: unlike RandomSampler's, it has no private generator.
  std::optional<Generator> generator = std::nullopt;
};

/// Given indices in PyTorch's random order, each once. Nothing is drawn before the first index is
/// asked for; then the generator makes all draws. An index that is given twice comes twice, with
/// the same SampleRng numbers. Memory: the indices, shared by all copies and passes, and 4 bytes
/// for each of them during a pass, 8 from 2^32 on. Source: PyTorch 2.15
/// torch/utils/data/sampler.py, SubsetRandomSampler.
class SubsetRandomSampler {
 public:
  /// One pass.
  class Cursor {
   public:
    Cursor(std::shared_ptr<const std::vector<std::size_t>> indices,
           SubsetRandomSamplerOptions options,
           detail::RandomSource source);
    std::optional<std::size_t> next() {
      if (position_ == available_ && !start()) {
        return std::nullopt;
      }
      return (*indices_)[order_[position_++]];
    }

    /// Passes over `count` indices, or those that are left; returns how many.
    std::size_t skip(std::size_t count);

   private:
    bool start();

    std::shared_ptr<const std::vector<std::size_t>> indices_;
    SubsetRandomSamplerOptions options_;
    detail::RandomSource source_;
    bool started_ = false;
    std::size_t position_ = 0;  // in order_
    std::size_t available_ = 0;
    detail::IndexArray order_;
  };

  explicit SubsetRandomSampler(std::vector<std::size_t> indices,
                               SubsetRandomSamplerOptions options = {});
  /// Copies the indices. Errors: InvalidOptions for a negative one.
  template <IndexRange Indices>
  requires(!std::same_as<std::remove_cvref_t<Indices>, std::vector<std::size_t>>)  //
      explicit SubsetRandomSampler(Indices&& indices, SubsetRandomSamplerOptions options = {})
      : SubsetRandomSampler(copy_of(indices), std::move(options)) {}

  [[nodiscard]] Cursor iterate() const { return iterate(detail::RandomSource{}); }
  /// `source` is drawn from where there is no generator.
  [[nodiscard]] Cursor iterate(const detail::RandomSource& source) const {
    return {indices_, options_, source};
  }
  /// Indices in one pass.
  [[nodiscard]] std::size_t size() const noexcept { return indices_->size(); }
  /// The generator's state as text; empty without one.
  [[nodiscard]] std::string state_dict() const { return detail::state_text(options_.generator); }
  /// Errors: StateError for what is no state of a sampler with such a generator.
  void load_state_dict(const std::string& state) {
    detail::load_state_text(options_.generator, state);
  }
  /// The given indices are taken to be distinct.
  [[nodiscard]] static constexpr bool indices_are_unique() noexcept { return true; }

 private:
  template <class Indices>
  static std::vector<std::size_t> copy_of(Indices& indices) {
    std::vector<std::size_t> copy;
    for (const auto index : indices) {
      copy.push_back(detail::to_index(index));
    }
    return copy;
  }

  std::shared_ptr<const std::vector<std::size_t>> indices_;
  SubsetRandomSamplerOptions options_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<SubsetRandomSampler> = true;
}  // namespace detail

}  // namespace forklift
