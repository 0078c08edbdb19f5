// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>

#include <forklift/dataset.hpp>
#include <forklift/mapped_iterable.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/shared_dataset.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// A dataset whose samples are those of another one, transformed. Made by map().
template <MapDataset D, class Transform>
requires(detail::HasPlainGet<D> || detail::HasRandomGet<D>) class MappedDataset {
  static constexpr bool kRandomTransform = std::invocable<Transform&, SampleOf<D>, SampleRng&>;

 public:
  MappedDataset(D dataset, Transform transform)
      : dataset_(std::move(dataset)),
        transform_(std::move(transform)) {}

  [[nodiscard]] std::size_t size() const requires detail::HasSize<const D> {
    return detail::to_size(dataset_.size());
  }
  [[nodiscard]] std::size_t size() requires(!detail::HasSize<const D>) {
    return detail::to_size(dataset_.size());
  }

  /// One generator serves both: what the transform draws follows what the dataset drew.
  auto get(std::size_t index,
           SampleRng& rng) requires(detail::HasRandomGet<D> || kRandomTransform) {
    return get_random(dataset_, transform_, index, rng);
  }
  auto get(std::size_t index) requires(!detail::HasRandomGet<D> && !kRandomTransform) {
    return transform_(dataset_.get(index));
  }
  auto get(std::size_t index) const
      requires(detail::HasPlainGet<const D> && !detail::HasRandomGet<D> && !kRandomTransform &&
               std::invocable<const Transform&, SampleOf<D>>) {
    return transform_(dataset_.get(index));
  }

  void open(const WorkerInfo& info) requires detail::HasOpen<D> { dataset_.open(info); }

 private:
  static auto get_random(D& dataset, Transform& transform, std::size_t index, SampleRng& rng) {
    auto read = [&]() -> decltype(auto) {
      if constexpr (detail::HasRandomGet<D>) {
        return dataset.get(index, rng);
      } else {
        return dataset.get(index);
      }
    };
    if constexpr (kRandomTransform) {
      return transform(read(), rng);
    } else {
      return transform(read());
    }
  }

  D dataset_;
  Transform transform_;
};

/// The dataset of `transform(sample)`; the transform may take a `SampleRng&` as its second
/// argument. Owner: both are moved in; a dataset that comes as a std::shared_ptr is shared. The
/// transform runs where the sample is read: in the workers.
template <MapDataset D, class Transform>
[[nodiscard]] MappedDataset<D, Transform> map(D dataset, Transform transform) {
  return {std::move(dataset), std::move(transform)};
}
template <MapDataset D, class Transform>
[[nodiscard]] MappedDataset<SharedDataset<D>, Transform> map(std::shared_ptr<D> dataset,
                                                             Transform transform) {
  return {std::move(dataset), std::move(transform)};
}
/// The same of an iterable dataset. The transform takes the sample alone: a stream has no index
/// that random numbers could be keyed by.
template <IterableDataset D, class Transform>
[[nodiscard]] MappedIterable<D, Transform> map(D dataset, Transform transform) {
  return {std::move(dataset), std::move(transform)};
}
template <IterableDataset D, class Transform>
[[nodiscard]] MappedIterable<SharedDataset<D>, Transform> map(std::shared_ptr<D> dataset,
                                                              Transform transform) {
  return {std::move(dataset), std::move(transform)};
}

}  // namespace forklift
