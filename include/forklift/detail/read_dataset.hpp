// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/dataset_checks.hpp>
#include <forklift/sample_rng.hpp>

/// Reading a dataset of which only the type is known: what a loader and the compositions of
/// datasets have in common.
///
/// A loader prefers get_batch(), then the getter with random numbers, then the plain one.
namespace forklift::detail {

/// A dataset that a loader reads with random numbers.
template <class D>
concept NeedsRng = HasRandomGet<D> && !HasBulkGet<D>;
/// A dataset that can be read without random numbers.
template <class D>
concept ReadsWithoutRng = HasPlainGet<D> || HasBulkGet<D>;

/// What get_batch() gives, as a list. Errors: whatever the dataset throws.
template <HasBulkGet D>
[[nodiscard]] std::vector<typename SampleOfDataset<D>::Type> read_in_bulk(
    D& dataset, std::span<const std::size_t> indices) {
  using Samples = std::vector<typename SampleOfDataset<D>::Type>;
  auto&& range = dataset.get_batch(indices);
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(range)>, Samples>) {
    return std::forward<decltype(range)>(range);
  } else {
    Samples samples;
    for (auto&& sample : range) {
      samples.push_back(std::forward<decltype(sample)>(sample));
    }
    return samples;
  }
}

/// One sample for each index, in order; in one call where the dataset can do that.
/// Errors: TensorError when get_batch() gives another number of samples; whatever the dataset
/// throws.
template <ReadsWithoutRng D>
[[nodiscard]] std::vector<typename SampleOfDataset<D>::Type> read_many(
    D& dataset, std::span<const std::size_t> indices) {
  if constexpr (HasBulkGet<D>) {
    auto samples = read_in_bulk(dataset, indices);
    if (samples.size() != indices.size()) {
      throw_bulk_count(indices.size(), samples.size());
    }
    return samples;
  } else {
    std::vector<typename SampleOfDataset<D>::Type> samples;
    samples.reserve(indices.size());
    for (const std::size_t index : indices) {
      samples.push_back(dataset.get(index));
    }
    return samples;
  }
}

/// One sample, as get() returns it: a reference stays one.
template <ReadsWithoutRng D>
[[nodiscard]] decltype(auto) read_one(D& dataset, std::size_t index) {
  if constexpr (HasPlainGet<D>) {
    return dataset.get(index);
  } else {
    auto samples = read_many(dataset, std::span<const std::size_t>(&index, 1));
    return typename SampleOfDataset<D>::Type(std::move(samples.front()));
  }
}

/// The same, with random numbers for a dataset that takes them.
template <class D>
[[nodiscard]] decltype(auto) read_one(D& dataset, std::size_t index, SampleRng& rng) {
  if constexpr (HasRandomGet<D>) {
    return dataset.get(index, rng);
  } else {
    return read_one(dataset, index);
  }
}

/// The members of a composition that asks several datasets, given what these have. It takes random
/// numbers where one of them needs them, and then has no get_batch(), which cannot hand them on.
template <class... D>
struct Getters {
  static constexpr bool kRandom = (NeedsRng<D> || ...);
  static constexpr bool kBulk = !kRandom && (HasBulkGet<D> || ...);
  static constexpr bool kOpen = (HasOpen<D> || ...);
  static constexpr bool kSize = (HasSize<D> && ...);
  static constexpr bool kConstSize = (HasSize<const D> && ...);
  /// Whether get() and get_batch() can be had of const datasets too.
  static constexpr bool kConstGet =
      ((NeedsRng<D> ? HasRandomGet<const D> : ReadsWithoutRng<const D>)&&...);
  static constexpr bool kConstIterate = (HasIterate<const D> && ...);
  static constexpr bool kConstBulk =
      ((HasBulkGet<D> ? HasBulkGet<const D> : HasPlainGet<const D>)&&...);
};

}  // namespace forklift::detail
