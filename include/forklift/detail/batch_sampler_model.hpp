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
    if (!ended_ && indices.empty()) {
      ended_ = true;
      throw_empty_batch(batch_);
    }
    ++batch_;
    return !ended_;
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
  std::size_t batch_ = 0;
  bool ended_ = false;
};

/// A batch sampler whose type is erased. Each function takes what AnyBatchSampler documents.
class BatchSamplerModel {
 public:
  BatchSamplerModel() = default;
  BatchSamplerModel(const BatchSamplerModel&) = delete;
  BatchSamplerModel& operator=(const BatchSamplerModel&) = delete;
  virtual ~BatchSamplerModel() = default;

  /// `self` owns this object and goes into the cursor.
  virtual std::unique_ptr<BatchCursor> iterate(const std::shared_ptr<BatchSamplerModel>& self,
                                               const RandomSource& source) = 0;
  virtual std::optional<std::size_t> size() = 0;
  virtual void set_epoch(std::size_t epoch) = 0;
  virtual bool indices_are_unique() = 0;
};

template <class S>
class BatchSamplerModelOf final : public BatchSamplerModel {
 public:
  template <class From>
  explicit BatchSamplerModelOf(From&& sampler) : sampler_(std::forward<From>(sampler)) {}

  std::unique_ptr<BatchCursor> iterate(const std::shared_ptr<BatchSamplerModel>& self,
                                       const RandomSource& source) override {
    std::shared_ptr<S> owner(self, &sampler_);
    if constexpr (requires { sampler_.iterate(); }) {
      auto pass = start_pass(sampler_, source);
      return std::make_unique<BatchCursorOf<S, decltype(pass)>>(std::move(owner), std::move(pass));
    } else {
      return std::make_unique<BatchCursorOf<S, RangeCursor<S>>>(std::move(owner),
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

 private:
  S sampler_;
};

}  // namespace forklift::detail
