// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/index_source.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/sampler_model.hpp>

namespace forklift::detail {

/// A range of integers, the indices of one batch.
template <class L>
concept IndexList = std::ranges::input_range<L> &&
    IndexInteger<std::remove_cvref_t<std::ranges::range_reference_t<L>>>;

template <class T>
concept OptionalList = requires(T& value) {
  { value.has_value() } -> std::convertible_to<bool>;
  requires IndexList<decltype(*value)>;
};
template <class C>
concept CursorOfLists = requires(C& cursor) {
  { cursor.next() } -> OptionalList;
};

/// Appends every index of `list`. Errors: InvalidOptions for a negative one.
template <class List>
void append_list(List&& list, std::vector<std::size_t>& indices) {
  for (auto&& index : list) {
    indices.push_back(to_index(std::remove_cvref_t<decltype(index)>(index)));
  }
}

/// A pass over a batch sampler of type S; `Pass` is its cursor or a RangeCursor.
template <class S, class Pass>
class BatchCursorOf final : public BatchCursor {
 public:
  BatchCursorOf(std::shared_ptr<S> owner, Pass pass)
      : owner_(std::move(owner)),
        pass_(std::move(pass)) {}

  bool next(std::vector<std::size_t>& indices) override {
    indices.clear();
    if (ended_) {
      return false;
    }
    ended_ = true;  // stays so if the batch sampler throws, as a Python generator is over then
    ended_ = !step(indices);
    return !ended_;
  }

  std::size_t skip(std::size_t batches, std::optional<std::size_t> samples) override {
    if constexpr (requires {
                    { pass_.skip(batches, samples) } -> std::same_as<std::size_t>;
                  }) {
      return pass_.skip(batches, samples);
    } else {
      std::size_t skipped = 0;
      std::vector<std::size_t> indices;
      for (; batches != 0 && next(indices); --batches) {
        skipped += indices.size();
      }
      return skipped;
    }
  }

 private:
  bool step(std::vector<std::size_t>& indices) {
    if constexpr (requires { pass_.advance(); }) {
      if (!pass_.advance()) {
        return false;
      }
      append_list(pass_.current(), indices);
      return true;
    } else if constexpr (requires {
                           { pass_.next(indices) } -> std::same_as<bool>;
                         }) {
      return pass_.next(indices);
    } else {
      auto found = pass_.next();
      if (!found.has_value()) {
        return false;
      }
      append_list(*found, indices);
      return true;
    }
  }

  std::shared_ptr<S> owner_;  // before pass_, which may point into it
  Pass pass_;
  bool ended_ = false;
};

using BatchSamplerModel = ErasedSampler<BatchCursor>;
template <class S>
using BatchSamplerModelOf = ErasedSamplerOf<S, BatchCursor, BatchCursorOf>;

}  // namespace forklift::detail
