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

#include <forklift/detail/collate_hook.hpp>
#include <forklift/detail/fields.hpp>
#include <forklift/detail/foreign_tensor.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/tensor.hpp>

namespace forklift {
namespace detail {

template <class T, class Out, Kind = kSampleKind<T>>
struct CollatedAs {  // tensors, numbers and lists of numbers
  static_assert(check_collates<T>());
  using Type = Out;
};
template <class T, class Out>
struct CollatedAs<T, Out, Kind::kCustom> {
  static_assert(check_collates<T>());
  using Type = HookResult<T>;
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
  static_assert(check_collates<T>());
  constexpr Kind kind = kSampleKind<T>;
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

/// The tensor type of the batches of a sample type: the foreign one when any leaf is foreign or a
/// forklift_collate() returns one, else forklift::Tensor.
template <class Sample>
struct TensorFor {
  using Foreign = ForeignTensorOf<Sample, typename CollatedAs<Sample, Tensor>::Type>;
  using Type = std::conditional_t<std::is_same_v<Foreign, NoTensor>, Tensor, Foreign>;
};
template <class Sample>
using TensorOf = typename TensorFor<Sample>::Type;

}  // namespace detail

/// The batch type that follows from a sample type (PyTorch's default_collate, in types).
///
/// number -> Tensor [B]; Tensor [..] -> Tensor [B, ..]; array or vector of numbers -> Tensor [B,
/// n]; string and bytes -> vector of them; tuple, pair, aggregate -> the same structure, field by
/// field; vector or array of others -> vector, one entry a position; optional -> optional; map ->
/// map by key. "Tensor" is torch::Tensor when any leaf of the sample is one.
///
/// A class, enum or variant of your own is collated by one function beside it, in its namespace or
/// as its friend; as a whole sample or as any part of one:
///   Batch forklift_collate(std::span<const T> values);
///   Batch forklift_collate(std::span<const T> values, BatchWriter& slot);  // preferred
/// It is given the values that T has in the samples of a batch, in order, and returns anything that
/// travels: tensors, numbers, strings, lists, maps, structs. Declare it where T is, before T is
/// loaded, so that every file sees it. What it throws stands in place of the batch. It goes before
/// the rule for aggregates and before `using Batch`; numbers, tensors and types of std keep their
/// rules. Without batches (batch_size = std::nullopt) it is called with one value, since the type
/// of a batch stays the same; DataLoader<D, Sample> never calls it. Source: PyTorch
/// torch/utils/data/_utils/collate.py, default_collate and its registry.
template <class Sample>
using Collated = typename detail::CollatedAs<Sample, detail::TensorOf<Sample>>::Type;

}  // namespace forklift
