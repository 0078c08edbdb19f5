// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include <forklift/detail/index_source.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

namespace detail {

template <class T>
concept OptionalSample = requires(T& value) {
  { value.has_value() } -> std::convertible_to<bool>;
  *value;
};
/// An object whose next() gives the samples, then nothing.
template <class S>
concept NextStream = requires(S& stream) {
  { stream.next() } -> OptionalSample;
};
template <class S>
concept RangeStream = std::ranges::input_range<S> && !NextStream<S>;

/// A stream that can be left and gone on with.
template <class S>
concept SavesItsPlace = NextStream<S> && requires(S& stream, const std::string& state) {
  { stream.state() } -> std::convertible_to<std::string>;
  stream.restore(state);
};

template <class D>
concept HasIterate = requires(D& dataset, const WorkerInfo& info) {
  dataset.iterate(info);
};
template <class D>
using StreamOf = decltype(std::declval<D&>().iterate(std::declval<const WorkerInfo&>()));

template <class S>
struct SampleOfStream;
template <NextStream S>
struct SampleOfStream<S> {
  using Type = std::remove_cvref_t<decltype(*std::declval<S&>().next())>;
};
template <RangeStream S>
struct SampleOfStream<S> {
  using Type = std::ranges::range_value_t<S>;
};

}  // namespace detail

/// A dataset that is read front to back.
///
/// `iterate(const WorkerInfo&)` starts a pass and returns an input range of samples, or an object
/// with `next() -> std::optional<Sample>`; it is called once for each pass in each worker, and in
/// the main process, with {id 0, num_workers 1}, when there are no workers. In a pass that goes on
/// from the state of a loader with other workers it is called for each of those, and the streams
/// are read by turns: they must not share their place in the dataset. Every worker reads the
/// whole stream unless the dataset shares it out by the worker's id. A class with iterate() is
/// iterable, whatever else it has. Optional: `size()`, the number of samples of a pass over all
/// workers, for DataLoader::size() alone; `open(const WorkerInfo&)` as for a map-style dataset. An
/// object with next() may have `state() -> std::string` (text) and `restore(std::string)`, which
/// is called on a new one before its first next(): then DataLoader::load_state_dict() reads nothing
/// again.
///
/// Owner:  moved into the loader; need not be copyable. What iterate() returns lives in one process
/// for one pass, and may point into the dataset and refer to the WorkerInfo.
/// Thread: one at a time in each process; worker threads share the dataset, its iterate() must be
/// const then, and each reads a stream of its own.
/// Errors: an exception of next() takes the place of its batch and the stream goes on behind it; a
/// range is over after an exception. One of iterate() takes the place of the worker's first batch.
/// Source: PyTorch torch/utils/data/dataset.py, IterableDataset.
template <class D>
concept IterableDataset = detail::HasIterate<D> &&
    (detail::NextStream<std::remove_reference_t<detail::StreamOf<D>>> ||
     detail::RangeStream<std::remove_reference_t<detail::StreamOf<D>>>);

}  // namespace forklift
