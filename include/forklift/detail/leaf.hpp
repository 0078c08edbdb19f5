// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/fields.hpp>
#include <forklift/dtype.hpp>
#include <forklift/tensor_adapter.hpp>

namespace forklift::detail {

/// What a part of a sample or of a batch is, decided by its type alone.
enum class Kind {
  kTensor,
  kNumber,
  kNumberList,  ///< std::array or std::vector of numbers
  kText,        ///< std::string or std::vector<std::byte>
  kSequence,    ///< std::array or std::vector of anything else
  kOptional,
  kMap,
  kRecord,  ///< tuple, pair or aggregate
  kCustom,  ///< collated by a function of the user's; for parts of samples only
  kRefused,
};

template <class T>
inline constexpr bool kIsText =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<std::byte>>;

template <class T>
struct ListTraits {
  static constexpr bool kIsList = false;
};
template <class T, class Allocator>
struct ListTraits<std::vector<T, Allocator>> {
  static constexpr bool kIsList = true;
  using Element = T;
};
template <class T, std::size_t N>
struct ListTraits<std::array<T, N>> {
  static constexpr bool kIsList = true;
  using Element = T;
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// std::map, std::unordered_map and their like, with keys that are numbers or strings. Not the
/// multimaps, which hold more than one value for a key: they have no at().
template <class T>
concept MapLike = requires(T& map, const typename T::key_type& key) {
  typename T::mapped_type;
  { map.find(key) } -> std::same_as<typename T::iterator>;
  map.emplace(key, std::declval<typename T::mapped_type>());
  map.at(key);
}
&&(Number<typename T::key_type> || std::same_as<typename T::key_type, std::string>);

template <class T>
consteval Kind kind_of() {
  if constexpr (TensorAdapter<T>::kIsTensor) {
    return Kind::kTensor;
  } else if constexpr (Number<T>) {
    return Kind::kNumber;
  } else if constexpr (kIsText<T>) {
    return Kind::kText;
  } else if constexpr (ListTraits<T>::kIsList) {
    return Number<typename ListTraits<T>::Element> ? Kind::kNumberList : Kind::kSequence;
  } else if constexpr (IsOptional<T>::value) {
    return Kind::kOptional;
  } else if constexpr (MapLike<T>) {
    return Kind::kMap;
  } else if constexpr (IsTupleLike<T>::value) {
    return Kind::kRecord;
  } else if constexpr (AggregateClass<T>) {
    return aggregate_fault<T>() == AggregateFault::kNone ? Kind::kRecord : Kind::kRefused;
  } else {
    return Kind::kRefused;
  }
}

template <class T>
inline constexpr Kind kKind = kind_of<T>();

/// Fails to compile, with one readable message, for a type that cannot travel.
template <class T>
consteval bool check_travels() {
  if constexpr (kKind<T> == Kind::kRefused && AggregateClass<T>) {
    constexpr AggregateFault fault = aggregate_fault<T>();
    static_assert(fault != AggregateFault::kBase,
                  "Forklift: an aggregate with a base class cannot travel; make the base a member "
                  "(a member that anything converts to, like std::any, is taken for one)");
    static_assert(fault != AggregateFault::kTooMany,
                  "Forklift: an aggregate of more than 16 members cannot travel; group members "
                  "into nested aggregates");
    static_assert(fault != AggregateFault::kEmpty,
                  "Forklift: an aggregate without members cannot travel, nor one with a reference "
                  "as a member");
    static_assert(fault != AggregateFault::kArray,
                  "Forklift: a C array as a member cannot travel; use std::array");
  } else {
    static_assert(
        kKind<T> != Kind::kRefused,
        "Forklift: this type cannot travel from a worker to the trainer. Use numbers "
        "(not long double), forklift::Tensor, std::array, "
        "std::vector, std::string, std::optional, std::map, std::pair, std::tuple or "
        "aggregates of them; for torch::Tensor include <forklift/torch.hpp>; a sample's own "
        "class may have a forklift_collate(), see forklift/collated.hpp");
  }
  return true;  // one message is enough
}

}  // namespace forklift::detail
