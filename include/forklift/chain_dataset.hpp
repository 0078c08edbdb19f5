// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/chained_stream.hpp>
#include <forklift/detail/children.hpp>
#include <forklift/detail/cumulative_sizes.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/held_iterable.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// Iterable datasets one behind the other: in each worker, one stream after the other.
///
///   ChainDataset(a, b, c)                  // of any types with one sample type
///   ChainDataset(std::vector{a, b, c})     // any number of one type, also none
///
/// The iterate() of a dataset is called when its turn comes, so that the stream of the one before
/// it is gone by then. Each worker goes on to the next dataset by itself. size() is there where all
/// datasets have it, and asks them each time. open() is handed on to the datasets that have it, to
/// all of them before the first sample.
///
/// Owner:  the datasets are moved in, or shared where they come as a std::shared_ptr.
/// Errors: InvalidOptions of size() when the sum is more than 64 bits hold. What the iterate() of a
///         dataset throws takes the place of the batch that would begin there, and the stream goes
///         on with the next dataset; what its stream throws is as documented for IterableDataset,
///         and behind a range that is over comes the next dataset.
/// Source: PyTorch 2.15 torch/utils/data/dataset.py, ChainDataset, which finds datasets of the
///         wrong kind only when their turn comes, and fails in len() where one has no length.
template <class... D>
class ChainDataset {
  static_assert(sizeof...(D) > 0,
                "Forklift: a ChainDataset of nothing has no sample type; use an empty std::vector");
  using Children = detail::Children<detail::HeldIterableAs, D...>;
  using Offered = typename Children::Offered;
  static_assert(Children::kOneSampleType,
                "Forklift: the datasets of a ChainDataset must have one sample type; see "
                "forklift/map.hpp to convert samples");

 public:
  using Sample = typename Children::Sample;
  using Stream =
      detail::ChainedStream<std::conditional_t<Offered::kConstIterate, const Children, Children>>;

  explicit ChainDataset(D... datasets) : datasets_(std::move(datasets)...) {}

  Stream iterate(const WorkerInfo& info) requires(!Offered::kConstIterate) {
    return Stream(datasets_, info);
  }
  Stream iterate(const WorkerInfo& info) const requires(Offered::kConstIterate) {
    return Stream(datasets_, info);
  }

  [[nodiscard]] std::size_t size() const requires(Offered::kConstSize) { return sum(datasets_); }
  [[nodiscard]] std::size_t size() requires(Offered::kSize && !Offered::kConstSize) {
    return sum(datasets_);
  }
  void open(const WorkerInfo& info) requires(Offered::kOpen) {
    datasets_.for_each([&](auto& dataset) {
      if constexpr (requires { dataset.open(info); }) {
        dataset.open(info);
      }
    });
  }

 private:
  // `datasets` is datasets_, const or not.
  template <class Datasets>
  static std::size_t sum(Datasets& datasets) {
    detail::CumulativeSizes sizes;
    datasets.for_each([&](auto& dataset) { sizes.append(detail::dataset_size(dataset)); });
    return sizes.sum();
  }

  Children datasets_;
};

}  // namespace forklift
