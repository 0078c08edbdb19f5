// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/leaf.hpp>

namespace forklift {
namespace detail {

template <class T, class Out, Kind = kKind<T>>
struct CollatedAs {  // tensors, numbers and lists of numbers
  static_assert(check_travels<T>());
  using Type = Out;
};
template <class T, class Out>
struct CollatedAs<T, Out, Kind::kText> {
  using Type = std::vector<T>;
};
template <class T, class Out>
struct CollatedAs<T, Out, Kind::kSequence> {
  using Type = std::vector<typename CollatedAs<typename ListTraits<T>::Element, Out>::Type>;
};
template <class T, class Out>
struct CollatedAs<T, Out, Kind::kOptional> {
  using Type = std::optional<typename CollatedAs<typename T::value_type, Out>::Type>;
};
template <class T, class Out>
struct CollatedAs<T, Out, Kind::kMap> {
  using Type =
      std::map<typename T::key_type, typename CollatedAs<typename T::mapped_type, Out>::Type>;
};

template <class T, class Out, class Indices>
struct CollatedParts;
template <class T, class Out, std::size_t... I>
struct CollatedParts<T, Out, std::index_sequence<I...>> {
  using Type = std::tuple<typename CollatedAs<FieldAt<T, I>, Out>::Type...>;
};
template <class T, class Out>
struct CollatedAs<T, Out, Kind::kRecord>
    : CollatedParts<T, Out, std::make_index_sequence<kNumParts<T>>> {};
template <class A, class B, class Out>
struct CollatedAs<std::pair<A, B>, Out, Kind::kRecord> {
  using Type = std::pair<typename CollatedAs<std::remove_cv_t<A>, Out>::Type,
                         typename CollatedAs<std::remove_cv_t<B>, Out>::Type>;
};

// A nested aggregate may name its batch type with `using Batch`.
template <class T>
concept NamesItsBatch = AggregateClass<T> && requires {
  typename T::Batch;
};
template <class T, class Out>
requires NamesItsBatch<T>
struct CollatedAs<T, Out, Kind::kRecord> {
  using Type = typename T::Batch;
};

// Whether `Batch` can take the fields of collated samples of type T, part by part.
template <class T, class Batch, class Out>
consteval bool fits();

template <class T, class Batch, class Out, std::size_t... I>
consteval bool parts_fit(std::index_sequence<I...> /*unused*/) {
  return (fits<FieldAt<T, I>, FieldAt<Batch, I>, Out>() && ...);
}

template <class T, class Batch, class Out>
consteval bool record_fits() {
  if constexpr (kKind<Batch> != Kind::kRecord) {
    return false;
  } else if constexpr (kNumParts<T> != kNumParts<Batch>) {
    return false;
  } else {
    return parts_fit<T, Batch, Out>(std::make_index_sequence<kNumParts<T>>());
  }
}

template <class T, class Batch, class Out>
consteval bool fits() {
  constexpr Kind kind = kKind<T>;
  if constexpr (kind == Kind::kRecord) {
    return record_fits<T, Batch, Out>();
  } else if constexpr (kind == Kind::kSequence) {
    if constexpr (requires { typename ListTraits<Batch>::Element; }) {
      using Element = typename ListTraits<Batch>::Element;
      return std::is_same_v<Batch, std::vector<Element>> &&
             fits<typename ListTraits<T>::Element, Element, Out>();
    } else {
      return false;
    }
  } else if constexpr (kind == Kind::kOptional) {
    if constexpr (IsOptional<Batch>::value) {
      return fits<typename T::value_type, typename Batch::value_type, Out>();
    } else {
      return false;
    }
  } else if constexpr (kind == Kind::kMap) {
    if constexpr (MapLike<Batch>) {
      return std::is_same_v<typename T::key_type, typename Batch::key_type> &&
             fits<typename T::mapped_type, typename Batch::mapped_type, Out>();
    } else {
      return false;
    }
  } else {
    return std::is_same_v<Batch, typename CollatedAs<T, Out>::Type>;
  }
}

}  // namespace detail

/// The batch type that follows from a sample type (PyTorch's default_collate, in types).
///
/// number -> Tensor [B]; Tensor [..] -> Tensor [B, ..]; array or vector of numbers -> Tensor [B,
/// n]; string and bytes -> vector of them; tuple, pair, aggregate -> the same structure, field by
/// field; vector or array of others -> vector, one entry a position; optional -> optional; map ->
/// map by key. "Tensor" is torch::Tensor when any leaf of the sample is one. Source: PyTorch
/// torch/utils/data/_utils/collate.py, default_collate.
template <class Sample>
using Collated = typename detail::CollatedAs<Sample, detail::TensorOf<Sample>>::Type;

}  // namespace forklift
