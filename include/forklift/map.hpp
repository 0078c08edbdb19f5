// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include <forklift/dataset.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/read_dataset.hpp>
#include <forklift/mapped_iterable.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/shared_dataset.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// A dataset whose samples are those of another one, transformed. Made by map(). Its get() is const
/// where those of the dataset and the transform are.
template <MapDataset D, class Transform>
class MappedDataset {
  static constexpr bool kRandomTransform = std::invocable<Transform&, SampleOf<D>, SampleRng&>;
  static constexpr bool kRandom = detail::HasRandomGet<D> || kRandomTransform;
  static constexpr bool kConst =
      (detail::HasRandomGet<D>
           ? detail::HasRandomGet<const D>
           : detail::ReadsWithoutRng<
                 const D>)&&(kRandomTransform
                                 ? std::invocable<const Transform&, SampleOf<D>, SampleRng&>
                                 : std::invocable<const Transform&, SampleOf<D>>);

 public:
  MappedDataset(D dataset, Transform transform)
      : dataset_(std::move(dataset)),
        transform_(std::move(transform)) {}

  [[nodiscard]] std::size_t size() const requires detail::HasSize<const D> {
    return detail::dataset_size(dataset_);
  }
  [[nodiscard]] std::size_t size() requires(!detail::HasSize<const D>) {
    return detail::dataset_size(dataset_);
  }

  /// One generator serves both: what the transform draws follows what the dataset drew.
  auto get(std::size_t index, SampleRng& rng) requires(kRandom && !kConst) {
    return read(dataset_, transform_, index, rng);
  }
  auto get(std::size_t index, SampleRng& rng) const requires(kRandom&& kConst) {
    return read(dataset_, transform_, index, rng);
  }
  auto get(std::size_t index) requires(!kRandom && !kConst) {
    return std::invoke(transform_, detail::read_one(dataset_, index));
  }
  auto get(std::size_t index) const requires(!kRandom && kConst) {
    return std::invoke(transform_, detail::read_one(dataset_, index));
  }

  void open(const WorkerInfo& info) requires detail::HasOpen<D> { dataset_.open(info); }

 private:
  // `dataset` and `transform` are the members, const or not.
  template <class Dataset, class Function>
  static auto read(Dataset& dataset, Function& transform, std::size_t index, SampleRng& rng) {
    if constexpr (kRandomTransform) {
      return std::invoke(transform, detail::read_one(dataset, index, rng), rng);
    } else {
      return std::invoke(transform, detail::read_one(dataset, index, rng));
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
