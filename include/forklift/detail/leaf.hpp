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

// Whether a value of type T has one of type Whole in it, at any depth; `Seen` are the types on
// the way that may come again, and are not looked into twice.
template <class Whole, class T, class... Seen>
consteval bool holds();

template <class Whole, class T, class... Seen, std::size_t... I>
consteval bool holds_in_parts(std::index_sequence<I...> /*unused*/) {
  return (holds<Whole, FieldAt<T, I>, Seen...>() || ...);
}

template <class Whole, class T, class... Seen>
consteval bool holds() {
  if constexpr (std::is_same_v<Whole, T>) {
    return true;
  } else if constexpr ((std::is_same_v<T, Seen> || ...)) {
    return false;
  } else if constexpr (ListTraits<T>::kIsList) {
    return holds<Whole, typename ListTraits<T>::Element, Seen...>();
  } else if constexpr (IsOptional<T>::value) {
    return holds<Whole, typename T::value_type, Seen...>();
  } else if constexpr (MapLike<T>) {
    return holds<Whole, typename T::mapped_type, T, Seen...>();
  } else if constexpr (IsTupleLike<T>::value) {
    return holds_in_parts<Whole, T, Seen...>(std::make_index_sequence<kNumParts<T>>());
  } else if constexpr (AggregateClass<T>) {
    if constexpr (aggregate_fault<T>() == AggregateFault::kNone) {
      return holds_in_parts<Whole, T, T, Seen...>(std::make_index_sequence<kNumParts<T>>());
    } else {
      return false;
    }
  } else {
    return false;
  }
}

/// Whether an aggregate without a fault has values of its own type in it, like the nodes of a tree.
template <AggregateClass T>
consteval bool holds_itself() {
  return holds_in_parts<T, T, T>(std::make_index_sequence<kNumParts<T>>());
}

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
    if constexpr (aggregate_fault<T>() == AggregateFault::kNone) {
      return holds_itself<T>() ? Kind::kRefused : Kind::kRecord;
    } else {
      return Kind::kRefused;
    }
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
    static_assert(fault != AggregateFault::kNone,
                  "Forklift: an aggregate that has values of its own type in it cannot travel; a "
                  "sample's own class may have a forklift_collate(), see forklift/collated.hpp");
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
