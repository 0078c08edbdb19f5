// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/dataset_checks.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/held_dataset.hpp>
#include <forklift/detail/read_dataset.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// Datasets of one size side by side: a sample is the tuple of their samples of one index.
///
/// Samples with names need no composition of their own: map() the tuple to an aggregate.
///
/// One SampleRng serves all datasets that take one, in their order. get_batch() is there where one
/// of them has it and none needs a SampleRng: each such dataset is asked once for all indices, the
/// others once for each. open() is handed on to the datasets that have it.
///
/// Owner:  the datasets are moved in, or shared where they come as a std::shared_ptr.
/// Errors: InvalidOptions when it is made of datasets that differ in size (sizes are read once);
///         TensorError of get_batch() when a dataset gives another number of samples than it was
///         asked for. What the datasets say to an index out of range passes through.
/// Source: PyTorch 2.15 torch/utils/data/dataset.py, StackDataset.
template <class... D>
class StackDataset {
  static_assert(sizeof...(D) > 0, "Forklift: At least one dataset should be passed");
  using Datasets = std::tuple<detail::HeldAs<D>...>;
  using Offered = detail::Getters<detail::HeldAs<D>...>;

 public:
  using Sample = std::tuple<SampleOf<detail::HeldAs<D>>...>;

  explicit StackDataset(D... datasets)
      : datasets_(std::move(datasets)...),
        size_(std::apply(
            [](auto&... dataset) {
              return detail::common_size(
                  "datasets",
                  std::array<std::size_t, sizeof...(D)>{detail::dataset_size(dataset)...});
            },
            datasets_)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  Sample get(std::size_t index) requires(!Offered::kRandom) { return read(datasets_, index); }
  [[nodiscard]] Sample get(std::size_t index) const
      requires(!Offered::kRandom && Offered::kConstGet) {
    return read(datasets_, index);
  }
  Sample get(std::size_t index, SampleRng& rng) requires(Offered::kRandom) {
    return read(datasets_, index, rng);
  }
  [[nodiscard]] Sample get(std::size_t index, SampleRng& rng) const
      requires(Offered::kRandom&& Offered::kConstGet) {
    return read(datasets_, index, rng);
  }
  std::vector<Sample> get_batch(std::span<const std::size_t> indices) requires(Offered::kBulk) {
    return read_batch(datasets_, indices);
  }
  [[nodiscard]] std::vector<Sample> get_batch(std::span<const std::size_t> indices) const
      requires(Offered::kBulk&& Offered::kConstBulk) {
    return read_batch(datasets_, indices);
  }
  void open(const WorkerInfo& info) requires(Offered::kOpen) {
    const auto open_one = [&](auto& dataset) {
      if constexpr (requires { dataset.open(info); }) {
        dataset.open(info);
      }
    };
    std::apply([&](auto&... dataset) { (open_one(dataset), ...); }, datasets_);
  }

 private:
  // `datasets` is datasets_, const or not.
  template <class Tuple, class... Rng>
  static Sample read(Tuple& datasets, std::size_t index, Rng&... rng) {
    return std::apply(
        [&](auto&... dataset) {
          return Sample{detail::read_one(dataset, index, rng...)...};  // braces: from left to right
        },
        datasets);
  }

  template <class Tuple>
  static std::vector<Sample> read_batch(Tuple& datasets, std::span<const std::size_t> indices) {
    using Columns = std::tuple<std::vector<SampleOf<detail::HeldAs<D>>>...>;
    Columns columns = std::apply(
        [&](auto&... dataset) { return Columns{detail::read_many(dataset, indices)...}; },
        datasets);
    std::vector<Sample> samples;
    samples.reserve(indices.size());
    for (std::size_t row = 0; row < indices.size(); ++row) {
      std::apply([&](auto&... column) { samples.emplace_back(std::move(column[row])...); },
                 columns);
    }
    return samples;
  }

  Datasets datasets_;
  std::size_t size_;
};

}  // namespace forklift
