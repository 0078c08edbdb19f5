// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/any_sampler.hpp>
#include <forklift/count.hpp>
#include <forklift/detail/batch_sampler_model.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/detail/taken.hpp>

namespace forklift {

/// An input range of ranges of integers: the index lists of an epoch. It is iterated anew each
/// epoch.
template <class S>
concept IndexListRange =
    std::ranges::input_range<S> && detail::IndexList<std::ranges::range_reference_t<S>>;

/// What gives a loader whole batches of indices: an IndexListRange, or a type with iterate() (const
/// or not), called for each epoch, that returns a cursor with `next()` -> optional list of indices.
/// Optional members: `size()`, the number of batches in an epoch; `set_epoch(n)`. Owner and thread:
/// as Sampler. Errors: in the place of an empty list stands a WorkerError (InvalidOptions), unless
/// a collate_fn takes the batch of no samples.
template <class S>
concept BatchIndexSampler = IndexListRange<S> || requires(S& sampler) {
  { sampler.iterate() } -> detail::CursorOfLists;
};

/// Groups the indices of a sampler. The sampler's pass starts when the first batch is asked for,
/// and it is driven to its end before the end is reported, with drop_last too. Source: PyTorch 2.15
/// torch/utils/data/sampler.py, BatchSampler.
class BatchSampler {
 public:
  /// One pass. It keeps the sampler alive.
  /// Errors of next(): whatever the sampler throws; the batch begun is lost and the pass is over.
  class Cursor {
   public:
    Cursor(AnySampler sampler, std::size_t batch_size, bool drop_last, detail::RandomSource source);
    std::optional<std::vector<std::size_t>> next();
    /// Replaces `indices` by the next batch; false at the end.
    bool next(std::vector<std::size_t>& indices);
    /// Passes over `samples` indices, or where that is not known over `batches` full batches; the
    /// next batch begins behind them. Returns the number of indices.
    std::size_t skip(std::size_t batches, std::optional<std::size_t> samples);

   private:
    AnySampler sampler_;
    std::unique_ptr<detail::IndexCursor> indices_;
    std::size_t batch_size_;
    bool drop_last_;
    detail::RandomSource source_;
    bool ended_ = false;
  };

  /// `drop_last` leaves out a last batch that is shorter than `batch_size`.
  /// Errors: InvalidOptions if batch_size is 0 or less, or if `sampler` is empty.
  BatchSampler(AnySampler sampler, Count batch_size, bool drop_last);

  [[nodiscard]] Cursor iterate() const { return iterate(detail::RandomSource{}); }
  /// `source` is what a sampler without a generator draws from.
  [[nodiscard]] Cursor iterate(const detail::RandomSource& source) const {
    return {sampler_, batch_size_, drop_last_, source};
  }
  /// Batches in one pass, if the sampler knows its size.
  [[nodiscard]] std::optional<std::size_t> size() const;
  void set_epoch(std::size_t epoch) const { sampler_.set_epoch(epoch); }
  [[nodiscard]] bool indices_are_unique() const { return sampler_.indices_are_unique(); }
  /// The sampler's, which alone decides the order.
  [[nodiscard]] std::string state_dict() const { return sampler_.state_dict(); }
  void load_state_dict(const std::string& state) const { sampler_.load_state_dict(state); }
  void load_state_dict(const std::string& state, const detail::Taken& taken) const {
    sampler_.load_state_dict(state, taken);
  }
  /// The sampler's type: batches of it can be cut differently.
  [[nodiscard]] std::string type() const { return sampler_.type(); }

  [[nodiscard]] const AnySampler& sampler() const noexcept { return sampler_; }
  [[nodiscard]] std::size_t batch_size() const noexcept { return batch_size_; }
  [[nodiscard]] bool drop_last() const noexcept { return drop_last_; }

 private:
  AnySampler sampler_;
  std::size_t batch_size_;
  bool drop_last_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<BatchSampler> = true;
}  // namespace detail

/// A batch sampler of any type. Made from a BatchIndexSampler it holds a copy of it; copies of the
/// AnyBatchSampler share that one object. A default-made one is empty: it converts to false, and
/// only that may be asked of it. Thread: one at a time, all copies taken together.
class AnyBatchSampler {
 public:
  AnyBatchSampler() = default;
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, AnyBatchSampler> &&
           BatchIndexSampler<std::decay_t<S>>)
      // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
      AnyBatchSampler(S&& sampler)  // a value made to convert
      : model_(std::make_shared<detail::BatchSamplerModelOf<std::decay_t<S>>>(
            std::forward<S>(sampler))) {}

  explicit operator bool() const noexcept { return model_ != nullptr; }

  /// Starts a pass. The cursor keeps the batch sampler alive. `source` is what samplers without a
  /// generator draw from.
  [[nodiscard]] std::unique_ptr<detail::BatchCursor> iterate(
      const detail::RandomSource& source = {}) const {
    return model_->iterate(model_, source);
  }
  /// Batches in one pass, if the batch sampler knows.
  [[nodiscard]] std::optional<std::size_t> size() const { return model_->size(); }
  /// Hands `epoch` to the batch sampler if it has set_epoch().
  void set_epoch(std::size_t epoch) const { model_->set_epoch(epoch); }
  /// What the batch sampler's state_dict() gives; empty if it has none. Called before a pass
  /// begins.
  [[nodiscard]] std::string state_dict() const { return model_->state_dict(); }
  /// Hands `state` to the batch sampler's load_state_dict() if it has one. The next pass goes as
  /// the one did before which the state was taken.
  void load_state_dict(const std::string& state) const { model_->load_state_dict(state, {}); }
  /// The same by a loader that has `taken` so much of the pass, and will pass over it by skip():
  /// for samplers that share their indices with other processes.
  void load_state_dict(const std::string& state, const detail::Taken& taken) const {
    model_->load_state_dict(state, taken);
  }
  /// The batch sampler's type, for messages and to compare.
  [[nodiscard]] std::string type() const { return model_->type(); }
  /// Indices in a full batch, if the batch sampler cuts batches of one size.
  [[nodiscard]] std::optional<std::size_t> batch_size() const { return model_->batch_size(); }
  /// True if no index comes twice in a pass. Always false for batch samplers that are not the
  /// library's.
  [[nodiscard]] bool indices_are_unique() const { return model_->indices_are_unique(); }

 private:
  std::shared_ptr<detail::BatchSamplerModel> model_;
};

}  // namespace forklift
