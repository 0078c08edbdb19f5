// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/children.hpp>
#include <forklift/detail/cumulative_sizes.hpp>
#include <forklift/detail/dataset_checks.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/held_dataset.hpp>
#include <forklift/detail/read_dataset.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// The samples of several datasets, one dataset behind the other.
///
///   ConcatDataset(a, b, c)                  // of any types with one sample type
///   ConcatDataset(std::vector{a, b, c})     // any number of one type
///
/// A sample is read by the getter that its dataset has; get() takes a SampleRng where one of them
/// needs it, and its numbers are keyed by the index in the whole. get_batch() is there where one of
/// them has it and none needs a SampleRng: each such dataset is asked once, and the samples come in
/// the order of the indices. open() is handed on to the datasets that have it. (There is no
/// operator+: datasets have no base class.)
///
/// Owner:  the datasets are moved in, or shared where they come as a std::shared_ptr.
/// Errors: InvalidOptions when it is made of an empty list; of get(), at() and get_batch() for an
///         index out of range; TensorError of get_batch() when a dataset gives another number of
///         samples than it was asked for.
/// Source: PyTorch 2.15 torch/utils/data/dataset.py, ConcatDataset: sizes are read once, when it is
///         made, and may be 0.
template <class... D>
class ConcatDataset {
  static_assert(sizeof...(D) > 0,
                "Forklift: datasets should not be an empty iterable: a ConcatDataset needs at "
                "least one");
  using Children = detail::Children<detail::HeldAs, D...>;
  using Offered = typename Children::Offered;
  static_assert(Children::kOneSampleType,
                "Forklift: the datasets of a ConcatDataset must have one sample type; see "
                "forklift/map.hpp to convert samples");

 public:
  using Sample = typename Children::Sample;

  explicit ConcatDataset(D... datasets) : datasets_(std::move(datasets)...) {
    datasets_.for_each([this](auto& dataset) { sizes_.append(detail::dataset_size(dataset)); });
    if (sizes_.count() == 0) {
      detail::throw_nothing_to_concatenate();
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return sizes_.sum(); }

  decltype(auto) get(std::size_t index) requires(!Offered::kRandom) {
    return read(datasets_, index);
  }
  [[nodiscard]] decltype(auto) get(std::size_t index) const
      requires(!Offered::kRandom && Offered::kConstGet) {
    return read(datasets_, index);
  }
  decltype(auto) get(std::size_t index, SampleRng& rng) requires(Offered::kRandom) {
    return read(datasets_, index, rng);
  }
  [[nodiscard]] decltype(auto) get(std::size_t index, SampleRng& rng) const
      requires(Offered::kRandom&& Offered::kConstGet) {
    return read(datasets_, index, rng);
  }
  /// get() with negative indices counted from the end.
  decltype(auto) at(std::int64_t index) requires(!Offered::kRandom) {
    return read(datasets_, detail::count_from_end("ConcatDataset", index, size()));
  }
  [[nodiscard]] decltype(auto) at(std::int64_t index) const
      requires(!Offered::kRandom && Offered::kConstGet) {
    return read(datasets_, detail::count_from_end("ConcatDataset", index, size()));
  }
  std::vector<Sample> get_batch(std::span<const std::size_t> indices) requires(Offered::kBulk) {
    return read_batch(datasets_, indices);
  }
  [[nodiscard]] std::vector<Sample> get_batch(std::span<const std::size_t> indices) const
      requires(Offered::kBulk&& Offered::kConstBulk) {
    return read_batch(datasets_, indices);
  }
  void open(const WorkerInfo& info) requires(Offered::kOpen) {
    datasets_.for_each([&](auto& dataset) {
      if constexpr (requires { dataset.open(info); }) {
        dataset.open(info);
      }
    });
  }

 private:
  using Place = detail::CumulativeSizes::Place;

  [[nodiscard]] Place locate(std::size_t index) const {
    if (index >= size()) [[unlikely]] {
      detail::throw_index_out_of_range("ConcatDataset", index, size());
    }
    return sizes_.locate(index);
  }

  // `datasets` is datasets_, const or not.
  template <class Datasets, class... Rng>
  [[nodiscard]] decltype(auto) read(Datasets& datasets, std::size_t index, Rng&... rng) const {
    const Place place = locate(index);
    return datasets.visit(place.dataset, [&](auto& dataset) -> decltype(auto) {
      return detail::read_one(dataset, place.index, rng...);
    });
  }

  template <class Datasets>
  [[nodiscard]] std::vector<Sample> read_batch(Datasets& datasets,
                                               std::span<const std::size_t> indices) const {
    std::vector<std::size_t> dataset_of;
    dataset_of.reserve(indices.size());
    std::vector<std::vector<std::size_t>> asked(sizes_.count());
    for (const std::size_t index : indices) {
      const Place place = locate(index);
      dataset_of.push_back(place.dataset);
      asked[place.dataset].push_back(place.index);
    }
    std::vector<std::vector<Sample>> given(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (asked[i].empty()) {
        continue;
      }
      given[i] =
          datasets.visit(i, [&](auto& dataset) { return detail::read_many(dataset, asked[i]); });
    }
    std::vector<Sample> samples;
    samples.reserve(indices.size());
    std::vector<std::size_t> taken(asked.size());
    for (const std::size_t dataset : dataset_of) {
      samples.push_back(std::move(given[dataset][taken[dataset]++]));
    }
    return samples;
  }

  Children datasets_;
  detail::CumulativeSizes sizes_;
};

}  // namespace forklift
