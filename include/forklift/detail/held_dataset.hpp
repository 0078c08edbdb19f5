// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include <forklift/dataset.hpp>
#include <forklift/shared_dataset.hpp>

namespace forklift::detail {

/// Stands in for a type that is not a dataset: the message about that is the only one that the user
/// is to see.
struct NoDataset {
  template <class T>
  requires(!std::is_same_v<T, NoDataset>) explicit NoDataset(const T& /*dataset*/) {}
  [[nodiscard]] static std::size_t size() { return 0; }
  [[nodiscard]] static int get(std::size_t /*index*/) { return 0; }
};

// In a function, since clang++ would have more to say about a class that failed.
template <class D>
consteval bool check_dataset() {
  static_assert(MapDataset<D>,
                "Forklift: this is not a map-style dataset: it needs size() and one of get(index), "
                "get(index, forklift::SampleRng&) and get_batch(indices); see "
                "forklift/dataset.hpp");
  return true;
}

template <class D>
struct HeldDataset {
  static_assert(check_dataset<D>());
  using Type = std::conditional_t<MapDataset<D>, D, NoDataset>;
};
template <MapDataset D>
struct HeldDataset<std::shared_ptr<D>> {
  using Type = SharedDataset<D>;
};

/// What a composition holds of a dataset that it was given. Fails to compile, with one readable
/// message, for a type that is none.
template <class D>
using HeldAs = typename HeldDataset<D>::Type;

}  // namespace forklift::detail
