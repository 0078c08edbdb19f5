// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <type_traits>

#include <forklift/iterable_dataset.hpp>
#include <forklift/shared_dataset.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// As NoDataset, for what is no iterable dataset.
struct NoIterable {
  template <class T>
  requires(!std::is_same_v<T, NoIterable>) explicit NoIterable(const T& /*dataset*/) {}
  [[nodiscard]] static std::array<int, 1> iterate(const WorkerInfo& /*info*/) { return {}; }
};

// In a function, since clang++ would have more to say about a class that failed.
template <class D>
consteval bool check_iterable() {
  static_assert(IterableDataset<D>,
                "Forklift: this is not an iterable dataset, and a ChainDataset or ShuffleBuffer "
                "takes no other: it needs iterate(const forklift::WorkerInfo&) that returns an "
                "input range of samples or an object with next(); see "
                "forklift/iterable_dataset.hpp");
  return true;
}

template <class D>
struct HeldIterable {
  static_assert(check_iterable<D>());
  using Type = std::conditional_t<IterableDataset<D>, D, NoIterable>;
};
template <IterableDataset D>
struct HeldIterable<std::shared_ptr<D>> {
  using Type = SharedDataset<D>;
};

/// What a composition of streams holds of a dataset that it was given. Fails to compile, with one
/// readable message, for a type that is no iterable dataset.
template <class D>
using HeldIterableAs = typename HeldIterable<D>::Type;

}  // namespace forklift::detail
