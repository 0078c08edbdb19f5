// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <forklift/detail/index_source.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/taken.hpp>
#include <forklift/detail/type_name.hpp>
#include <forklift/sampler.hpp>

namespace forklift::detail {

/// Steps through a range of any element type, each epoch with a cursor of its own. An element is
/// computed when it is asked for, not one step ahead. Owner: `range` must outlive it.
template <std::ranges::input_range Range>
class RangeCursor {
 public:
  explicit RangeCursor(Range& range) noexcept : range_(&range) {}

  /// True if there is an element; current() is it.
  bool advance() {
    if (!iterator_.has_value()) {
      iterator_.emplace(std::ranges::begin(*range_));
    } else {
      ++*iterator_;
    }
    return *iterator_ != std::ranges::end(*range_);
  }
  [[nodiscard]] decltype(auto) current() const { return **iterator_; }

 private:
  Range* range_;
  std::optional<std::ranges::iterator_t<Range>> iterator_;
};

/// Starts a pass of a sampler that is no range, with `source` if it takes one.
template <class S>
[[nodiscard]] auto start_pass(S& sampler, const RandomSource& source) {
  if constexpr (requires { sampler.iterate(source); }) {
    return sampler.iterate(source);
  } else {
    return sampler.iterate();
  }
}

/// The optional members of samplers and batch samplers.
template <class S>
[[nodiscard]] std::optional<std::size_t> size_of(S& sampler) {
  if constexpr (requires { std::optional<std::size_t>(sampler.size()); }) {
    if constexpr (IndexInteger<std::remove_cvref_t<decltype(sampler.size())>>) {
      return to_index(sampler.size());
    } else {
      return sampler.size();
    }
  } else if constexpr (std::ranges::sized_range<S>) {
    return static_cast<std::size_t>(std::ranges::size(sampler));
  } else {
    return std::nullopt;
  }
}

template <class S>
void set_epoch_of(S& sampler, std::size_t epoch) {
  if constexpr (requires { sampler.set_epoch(epoch); }) {
    sampler.set_epoch(epoch);
  }
}

/// What a sampler without a state of its own gives for one.
template <class S>
[[nodiscard]] std::string state_of(S& sampler) {
  if constexpr (requires {
                  { sampler.state_dict() } -> std::convertible_to<std::string>;
                }) {
    return sampler.state_dict();
  } else {
    return {};
  }
}

/// `taken` is of the loader that hands the state on.
template <class S>
void load_state_of(S& sampler, const std::string& state, const std::optional<Taken>& taken) {
  if constexpr (requires { sampler.load_state_dict(state, *taken); }) {
    if (taken.has_value()) {
      sampler.load_state_dict(state, *taken);
      return;
    }
  }
  if constexpr (requires { sampler.load_state_dict(state); }) {
    sampler.load_state_dict(state);
  }
}

/// A pass over a sampler of type S; `Pass` is its cursor or a RangeCursor.
template <class S, class Pass>
class IndexCursorOf final : public IndexCursor {
 public:
  IndexCursorOf(std::shared_ptr<S> owner, Pass pass)
      : owner_(std::move(owner)),
        pass_(std::move(pass)) {}

  bool next(std::size_t& index) override {
    if (ended_) {
      return false;
    }
    ended_ = true;  // stays so if the sampler throws, as a Python generator is over then
    ended_ = !step(index);
    return !ended_;
  }

  void append(std::size_t count, std::vector<std::size_t>& indices) override {
    std::size_t index = 0;
    for (; count != 0 && next(index); --count) {
      indices.push_back(index);
    }
  }

  std::size_t skip(std::size_t count) override {
    if constexpr (requires {
                    { pass_.skip(count) } -> std::same_as<std::size_t>;
                  }) {
      return pass_.skip(count);
    } else {
      std::size_t skipped = 0;
      for (std::size_t index = 0; skipped < count && next(index); ++skipped) {
      }
      return skipped;
    }
  }

 private:
  bool step(std::size_t& index) {
    if constexpr (requires { pass_.advance(); }) {
      if (!pass_.advance()) {
        return false;
      }
      index = to_index(std::remove_cvref_t<decltype(pass_.current())>(pass_.current()));
    } else {
      const auto found = pass_.next();
      if (!found.has_value()) {
        return false;
      }
      index = to_index(*found);
    }
    return true;
  }

  std::shared_ptr<S> owner_;  // before pass_, which may point into it
  Pass pass_;
  bool ended_ = false;
};

/// A sampler or batch sampler whose type is erased; `Cursor` is what a pass over it is. Each
/// function takes what AnySampler and AnyBatchSampler document.
template <class Cursor>
class ErasedSampler {
 public:
  ErasedSampler() = default;
  ErasedSampler(const ErasedSampler&) = delete;
  ErasedSampler& operator=(const ErasedSampler&) = delete;
  virtual ~ErasedSampler() = default;

  /// `self` owns this object and goes into the cursor.
  virtual std::unique_ptr<Cursor> iterate(const std::shared_ptr<ErasedSampler>& self,
                                          const RandomSource& source) = 0;
  virtual std::optional<std::size_t> size() = 0;
  virtual void set_epoch(std::size_t epoch) = 0;
  virtual bool indices_are_unique() = 0;
  virtual std::string state_dict() = 0;
  virtual void load_state_dict(const std::string& state, const std::optional<Taken>& taken) = 0;
  virtual std::string type() = 0;
  virtual std::optional<std::size_t> batch_size() = 0;
};

/// The one that holds an S. `CursorOf<S, Pass>` is its cursor over a pass of type `Pass`.
template <class S, class Cursor, template <class, class> class CursorOf>
class ErasedSamplerOf final : public ErasedSampler<Cursor> {
 public:
  template <class From>
  requires(!std::same_as<std::remove_cvref_t<From>, ErasedSamplerOf>) explicit ErasedSamplerOf(
      From&& sampler)
      : sampler_(std::forward<From>(sampler)) {}

  std::unique_ptr<Cursor> iterate(const std::shared_ptr<ErasedSampler<Cursor>>& self,
                                  const RandomSource& source) override {
    std::shared_ptr<S> owner(self, &sampler_);
    if constexpr (requires { sampler_.iterate(); }) {
      auto pass = start_pass(sampler_, source);
      return std::make_unique<CursorOf<S, decltype(pass)>>(std::move(owner), std::move(pass));
    } else {
      return std::make_unique<CursorOf<S, RangeCursor<S>>>(std::move(owner),
                                                           RangeCursor<S>(sampler_));
    }
  }
  std::optional<std::size_t> size() override { return size_of(sampler_); }
  void set_epoch(std::size_t epoch) override { set_epoch_of(sampler_, epoch); }
  bool indices_are_unique() override {
    if constexpr (kKnowsUniqueness<S>) {
      return sampler_.indices_are_unique();
    } else {
      return false;
    }
  }
  std::string state_dict() override { return state_of(sampler_); }
  void load_state_dict(const std::string& state, const std::optional<Taken>& taken) override {
    load_state_of(sampler_, state, taken);
  }
  std::string type() override {
    if constexpr (requires {
                    { sampler_.type() } -> std::same_as<std::string>;
                  }) {
      return sampler_.type();
    } else {
      return type_name(typeid(S));
    }
  }
  std::optional<std::size_t> batch_size() override {
    if constexpr (requires {
                    { sampler_.batch_size() } -> std::same_as<std::size_t>;
                  }) {
      return sampler_.batch_size();
    } else {
      return std::nullopt;
    }
  }

 private:
  S sampler_;
};

using SamplerModel = ErasedSampler<IndexCursor>;
template <Sampler S>
using SamplerModelOf = ErasedSamplerOf<S, IndexCursor, IndexCursorOf>;

}  // namespace forklift::detail
