// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <forklift/detail/collate_hook.hpp>
#include <forklift/detail/fields.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/tensor_adapter.hpp>

/// Which library's tensors samples and batches hold.
namespace forklift::detail {

struct NoTensor {};

template <class A, class B>
struct CommonTensor {
  static_assert(std::is_same_v<A, NoTensor> || std::is_same_v<B, NoTensor> || std::is_same_v<A, B>,
                "Forklift: a sample holds tensors of two foreign libraries");
  using Type = std::conditional_t<std::is_same_v<A, NoTensor>, B, A>;
};

/// How a type is walked through.
struct AsSample {
  template <class T>
  static constexpr Kind kKindOf = kSampleKind<T>;
};
struct AsBatch {
  template <class T>
  static constexpr Kind kKindOf = kKind<T>;
};

/// The tensor type of another library in T, or NoTensor.
template <class T, class Walk, Kind = Walk::template kKindOf<T>>
struct ForeignTensorIn {
  using Type = NoTensor;
};
template <class T, class Walk>
struct ForeignTensorIn<T, Walk, Kind::kTensor> {
  using Type = std::conditional_t<TensorAdapter<T>::kForeign, T, NoTensor>;
};
template <class T, class Walk>
struct ForeignTensorIn<T, Walk, Kind::kSequence>
    : ForeignTensorIn<typename ListTraits<T>::Element, Walk> {};
template <class T, class Walk>
struct ForeignTensorIn<T, Walk, Kind::kOptional> : ForeignTensorIn<typename T::value_type, Walk> {};
template <class T, class Walk>
struct ForeignTensorIn<T, Walk, Kind::kMap> : ForeignTensorIn<typename T::mapped_type, Walk> {};

template <class Walk, class Found, class... Rest>
struct FoldForeign {
  using Type = Found;
};
template <class Walk, class Found, class Next, class... Rest>
struct FoldForeign<Walk, Found, Next, Rest...>
    : FoldForeign<Walk,
                  typename CommonTensor<Found, typename ForeignTensorIn<Next, Walk>::Type>::Type,
                  Rest...> {};

template <class T, class Walk, class Indices>
struct ForeignTensorInParts;
template <class T, class Walk, std::size_t... I>
struct ForeignTensorInParts<T, Walk, std::index_sequence<I...>>
    : FoldForeign<Walk, NoTensor, FieldAt<T, I>...> {};
template <class T, class Walk>
struct ForeignTensorIn<T, Walk, Kind::kRecord>
    : ForeignTensorInParts<T, Walk, std::make_index_sequence<kNumParts<T>>> {};

/// The same of a sample type and of the type of its batches.
template <class Sample, class Batch>
using ForeignTensorOf = typename CommonTensor<typename ForeignTensorIn<Sample, AsSample>::Type,
                                              typename ForeignTensorIn<Batch, AsBatch>::Type>::Type;

}  // namespace forklift::detail
