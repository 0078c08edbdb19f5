// SPDX-License-Identifier: MIT
#pragma once

#include <forklift/dataset.hpp>
#include <forklift/detail/map_fetcher.hpp>
#include <forklift/detail/stream_fetcher.hpp>

namespace forklift::detail {

template <class D, class Collate>
struct ChooseFetcher;
template <MapDataset D, class Collate>
struct ChooseFetcher<D, Collate> {
  using Type = MapFetcher<D, Collate>;
};
template <IterableDataset D, class Collate>
struct ChooseFetcher<D, Collate> {
  using Type = StreamFetcher<D, Collate>;
};

/// The fetcher of a dataset of either kind.
template <class D, class Collate>
using FetcherFor = typename ChooseFetcher<D, Collate>::Type;

}  // namespace forklift::detail
