// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/dataset_checks.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/held_dataset.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/read_dataset.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/sampler.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// The samples of a dataset that a list of indices names, in the order of the list, which may name
/// one several times.
///
/// It has the getters of the dataset, and open() where the dataset has it. Random numbers are keyed
/// by the position in the list, not by the index in the dataset. get_batch() asks the dataset once.
///
/// Owner:  the dataset is moved in, or shared where it comes as a std::shared_ptr.
/// Errors: InvalidOptions when it is made, for an index that the dataset does not have: the size is
///         read then (PyTorch fails when such a sample is read, and counts negative indices from
///         the end). InvalidOptions of the getters for a position out of range.
/// Source: PyTorch 2.15 torch/utils/data/dataset.py, Subset.
template <class D>
class Subset {
  using Getters = detail::Getters<detail::HeldAs<D>>;

 public:
  using Dataset = detail::HeldAs<D>;

  Subset(D dataset, std::vector<std::size_t> indices)
      : dataset_(std::move(dataset)),
        indices_(std::move(indices)) {
    const std::size_t size = detail::dataset_size(dataset_);
    for (std::size_t position = 0; position < indices_.size(); ++position) {
      if (indices_[position] >= size) {
        detail::throw_subset_index(indices_[position], position, size);
      }
    }
  }
  template <detail::IndexInteger T>
  Subset(D dataset, std::initializer_list<T> indices)
      : Subset(std::move(dataset), std::span(indices.begin(), indices.size())) {}
  /// From a range of any integers.
  template <IndexRange R>
  requires(!std::same_as<std::remove_cvref_t<R>, std::vector<std::size_t>>)
      Subset(D dataset, R&& indices)
      : dataset_(std::move(dataset)) {
    const std::size_t size = detail::dataset_size(dataset_);
    for (const auto index : indices) {
      // A negative index is more than any size once it is without its sign.
      if (static_cast<std::size_t>(index) >= size) {
        detail::throw_subset_index(index, indices_.size(), size);
      }
      indices_.push_back(static_cast<std::size_t>(index));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return indices_.size(); }

  decltype(auto) get(std::size_t position) requires(!Getters::kRandom) {
    return detail::read_one(dataset_, index_at(position));
  }
  [[nodiscard]] decltype(auto) get(std::size_t position) const
      requires(!Getters::kRandom && Getters::kConstGet) {
    return detail::read_one(dataset_, index_at(position));
  }
  decltype(auto) get(std::size_t position, SampleRng& rng) requires(Getters::kRandom) {
    return detail::read_one(dataset_, index_at(position), rng);
  }
  [[nodiscard]] decltype(auto) get(std::size_t position, SampleRng& rng) const
      requires(Getters::kRandom&& Getters::kConstGet) {
    return detail::read_one(dataset_, index_at(position), rng);
  }
  std::vector<SampleOf<Dataset>> get_batch(std::span<const std::size_t> positions) requires(
      Getters::kBulk) {
    return detail::read_in_bulk(dataset_, indices_at(positions));
  }
  [[nodiscard]] std::vector<SampleOf<Dataset>> get_batch(
      std::span<const std::size_t> positions) const requires(Getters::kBulk&& Getters::kConstBulk) {
    return detail::read_in_bulk(dataset_, indices_at(positions));
  }
  void open(const WorkerInfo& info) requires(Getters::kOpen) { dataset_.open(info); }

  [[nodiscard]] const Dataset& dataset() const noexcept { return dataset_; }
  /// The index in the dataset of each position.
  [[nodiscard]] const std::vector<std::size_t>& indices() const noexcept { return indices_; }

 private:
  [[nodiscard]] std::size_t index_at(std::size_t position) const {
    if (position >= indices_.size()) [[unlikely]] {
      detail::throw_index_out_of_range("Subset", position, indices_.size());
    }
    return indices_[position];
  }
  [[nodiscard]] std::vector<std::size_t> indices_at(std::span<const std::size_t> positions) const {
    std::vector<std::size_t> indices;
    indices.reserve(positions.size());
    for (const std::size_t position : positions) {
      indices.push_back(index_at(position));
    }
    return indices;
  }

  Dataset dataset_;
  std::vector<std::size_t> indices_;
};

}  // namespace forklift
