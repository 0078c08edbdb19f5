// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include <forklift/detail/index_source.hpp>
#include <forklift/iterable_dataset.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

namespace detail {

template <class T>
concept Integer = IndexInteger<std::remove_cvref_t<T>>;
template <class D>
concept HasSize = requires(D& dataset) {
  { dataset.size() } -> Integer;
};
template <class D>
concept HasPlainGet = requires(D& dataset, std::size_t index) {
  dataset.get(index);
};
template <class D>
concept HasRandomGet = requires(D& dataset, std::size_t index, SampleRng& rng) {
  dataset.get(index, rng);
};
template <class D>
concept HasBulkGet = requires(D& dataset, std::span<const std::size_t> indices) {
  { dataset.get_batch(indices) } -> std::ranges::input_range;
};
template <class D>
concept HasOpen = requires(D& dataset, const WorkerInfo& info) {
  dataset.open(info);
};

template <class D>
struct SampleOfDataset;
template <class D>
requires(HasRandomGet<D> && !HasIterate<D>) struct SampleOfDataset<D> {
  using Type = std::remove_cvref_t<decltype(std::declval<D&>().get(std::size_t{},
                                                                   std::declval<SampleRng&>()))>;
};
template <class D>
requires(HasPlainGet<D> && !HasRandomGet<D> && !HasIterate<D>) struct SampleOfDataset<D> {
  using Type = std::remove_cvref_t<decltype(std::declval<D&>().get(std::size_t{}))>;
};
template <class D>
requires(HasBulkGet<D> && !HasPlainGet<D> && !HasRandomGet<D> &&
         !HasIterate<D>) struct SampleOfDataset<D> {
  using Type = std::ranges::range_value_t<decltype(std::declval<D&>().get_batch(
      std::span<const std::size_t>()))>;
};

}  // namespace detail

/// A dataset that is asked by index.
///
/// `size()` gives the number of samples, as any integer. One of these gives samples; none need be
/// const:
///   get(std::size_t index)                             one sample
///   get(std::size_t index, SampleRng& rng)             one sample, with random numbers keyed by
///   seed, epoch and index get_batch(std::span<const std::size_t> indices)    a range of samples,
///   one for each index (PyTorch's __getitems__)
/// get_batch is preferred where a dataset has several. Optional: `open(const WorkerInfo&)`, called
/// once in each worker before the first sample, and in the main process only with 0 workers: the
/// place to open files, which must not be shared over a fork. A dataset with open() is destroyed in
/// the worker at its normal end.
///
/// Owner:  moved into the loader; need not be copyable. Each worker process has the copy-on-write
/// copy that fork gives it. Thread: one at a time in each process; worker threads share it, its
/// getters must be const then and are called by several of them at a time.
template <class D>
concept MapDataset = detail::HasSize<D> && !detail::HasIterate<D> &&
                     (detail::HasPlainGet<D> || detail::HasRandomGet<D> || detail::HasBulkGet<D>);

/// What a DataLoader loads.
template <class D>
concept Dataset = MapDataset<D> || IterableDataset<D>;

namespace detail {
template <IterableDataset D>
struct SampleOfDataset<D> {
  using Type = typename SampleOfStream<std::remove_reference_t<StreamOf<D>>>::Type;
};
}  // namespace detail

/// The type of a dataset's samples.
template <Dataset D>
using SampleOf = typename detail::SampleOfDataset<D>::Type;

}  // namespace forklift
