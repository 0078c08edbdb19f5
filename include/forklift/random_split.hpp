// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/held_dataset.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/generator.hpp>
#include <forklift/shared_dataset.hpp>
#include <forklift/subset.hpp>

namespace forklift {

namespace detail {
template <class T>
concept SplitNumber = IndexInteger<T> || std::floating_point<T>;

/// One length, of whatever number it is made: a list of them may mix types.
class SplitLength {
 public:
  template <SplitNumber T>
  // NOLINTNEXTLINE(google-explicit-constructor): a value made to convert
  SplitLength(T length) noexcept : value_(static_cast<double>(length)) {}
  [[nodiscard]] double value() const noexcept { return value_; }

 private:
  double value_;
};

template <class D>
struct Shared {
  using Type = SharedDataset<HeldAs<D>>;
  static Type share(D dataset) { return std::make_shared<HeldAs<D>>(std::move(dataset)); }
};
template <class D>
struct Shared<std::shared_ptr<D>> {
  using Type = HeldAs<std::shared_ptr<D>>;
  static Type share(std::shared_ptr<D> dataset) { return Type(std::move(dataset)); }
};
template <class D>
struct Shared<SharedDataset<D>> {
  using Type = SharedDataset<D>;
  static Type share(SharedDataset<D> dataset) { return dataset; }
};
}  // namespace detail

/// How long the parts of a split are: numbers of samples, or fractions that sum up to 1.
/// Units: held as double, which is exact for the size of any dataset that has an order in memory.
class SplitLengths {
 public:
  SplitLengths(std::initializer_list<detail::SplitLength> lengths) { append(lengths); }
  template <std::ranges::input_range R>
  // NOLINTNEXTLINE(google-explicit-constructor): a value made to convert
  requires detail::SplitNumber<std::ranges::range_value_t<R>> SplitLengths(const R& lengths) {
    append(lengths);
  }

  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }

 private:
  void append(const auto& lengths) {
    for (const detail::SplitLength length : lengths) {
      values_.push_back(length.value());
    }
  }

  std::vector<double> values_;
};

/// Takes a warning as text.
using SplitWarning = std::function<void(std::string_view)>;

namespace detail {
/// The indices of each part. Errors: those of random_split.
[[nodiscard]] std::vector<std::vector<std::size_t>> split_indices(std::size_t size,
                                                                  const SplitLengths& lengths,
                                                                  Generator& generator,
                                                                  const SplitWarning& on_warning);
}  // namespace detail

/// Splits a dataset at random into parts that share it: `random_split(dataset, {0.9, 0.1})`,
/// `random_split(dataset, {50'000, 10'000}, Generator(1))`. The parts are PyTorch's for the same
/// seed: one permutation of the indices, cut into consecutive pieces.
///
/// Lengths that sum up to 1 are fractions, whatever their type, as in PyTorch. A part of fraction f
/// has floor(size * f) samples, and what is left goes to the parts from the first on, one sample
/// each, round and round. A fraction that comes to no sample is a warning, to `on_warning`, or as a
/// line on stderr without one. Other lengths must sum up to the size of the dataset; 0 is allowed.
///
/// Owner:  the dataset is moved in and shared by the parts (see SharedDataset); a std::shared_ptr
///         is shared as it is.
/// Draws:  one randperm from `generator`, by default from Forklift's process-wide one; that it is
///         too where samples hold torch::Tensor, so give a Generator there.
/// Errors: InvalidOptions, in PyTorch's words, for a fraction outside 0..1 and for a wrong sum;
///         and, where PyTorch makes parts of the wrong size or fails later, for a length that is
///         negative or no whole number.
/// Source: PyTorch 2.15 torch/utils/data/dataset.py, random_split. Fractions are added with the
///         rounding errors carried along, as sum() does since Python 3.12.
template <class D>
[[nodiscard]] std::vector<Subset<typename detail::Shared<D>::Type>> random_split(
    D dataset,
    const SplitLengths& lengths,
    Generator generator = default_generator(),
    const SplitWarning& on_warning = {}) {
  const auto shared = detail::Shared<D>::share(std::move(dataset));
  auto lists = detail::split_indices(shared.size(), lengths, generator, on_warning);
  std::vector<Subset<typename detail::Shared<D>::Type>> parts;
  parts.reserve(lists.size());
  for (auto& list : lists) {
    parts.emplace_back(shared, std::move(list));
  }
  return parts;
}

}  // namespace forklift
