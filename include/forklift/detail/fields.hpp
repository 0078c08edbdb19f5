// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Members of aggregates without macros: how many there are, and references to them.
///
/// The count is the largest number of initialisers that the type takes. An array member would take
/// one for each of its elements and a base class one for itself, so both are found first and
/// refused by name.
namespace forklift::detail {

inline constexpr std::size_t kMaxFields = 16;

// Stands for a member of any type, but never for a base of T or for T itself (which would select
// the copy constructor). Only looked at, never called; it has a body because looking at some types
// (std::optional) makes the compiler ask for one.
template <class T>
struct AnyMember {
  template <class Member>
  requires(!std::is_base_of_v<std::remove_cvref_t<Member>, T>) operator Member()
      const noexcept {  // NOLINT(google-explicit-constructor)
    __builtin_unreachable();
  }
};

template <class T>
struct AnyBase {
  template <class Base>
  requires(std::is_base_of_v<std::remove_cvref_t<Base>, T> &&
           !std::is_same_v<std::remove_cvref_t<Base>, T>)
  operator Base() const noexcept {  // NOLINT(google-explicit-constructor)
    __builtin_unreachable();
  }
};

template <class T, std::size_t>
using AnyMemberAt = AnyMember<T>;

template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...> /*unused*/) {
  return requires {
    T{AnyMemberAt<T, I>{}...};
  };
}

// Whether T takes `before` members, an empty list and `after` members.
template <class T, std::size_t... I, std::size_t... J>
consteval bool takes_gap(std::index_sequence<I...> /*before*/,
                         std::index_sequence<J...> /*after*/) {
  return requires {
    T{AnyMemberAt<T, I>{}..., {}, AnyMemberAt<T, J>{}...};
  };
}

template <class T, std::size_t Count = kMaxFields + 1>
consteval std::size_t num_initialisers() {
  if constexpr (Count == 0 || takes<T>(std::make_index_sequence<Count>())) {
    return Count;
  } else {
    return num_initialisers<T, Count - 1>();
  }
}

template <class T>
consteval bool has_base() {
  return requires {
    T{AnyBase<T>{}};
  };
}

// An empty list stands for a whole array, so that fewer initialisers may follow it than for any
// other member.
template <class T, std::size_t Count, std::size_t At, std::size_t After>
consteval bool is_array_at() {
  if constexpr (takes_gap<T>(std::make_index_sequence<At>(), std::make_index_sequence<After>())) {
    return After != Count - At - 1;
  } else if constexpr (After == 0) {
    return false;
  } else {
    return is_array_at<T, Count, At, After - 1>();
  }
}

template <class T, std::size_t Count, std::size_t... At>
consteval bool has_array(std::index_sequence<At...> /*unused*/) {
  return (is_array_at<T, Count, At, Count - At - 1>() || ...);
}

/// A class whose members can be visited by structured bindings, as far as that can be asked without
/// naming them.
template <class T>
concept AggregateClass = std::is_class_v<T> && std::is_aggregate_v<T>;

/// Why an aggregate cannot be taken apart, or that it can.
enum class AggregateFault { kNone, kBase, kTooMany, kEmpty, kArray };

template <AggregateClass T>
consteval AggregateFault aggregate_fault() {
  constexpr std::size_t kCount = num_initialisers<T>();
  if constexpr (has_base<T>()) {
    return AggregateFault::kBase;
  } else if constexpr (kCount > kMaxFields) {
    return AggregateFault::kTooMany;
  } else if constexpr (kCount == 0) {
    return AggregateFault::kEmpty;
  } else {
    return has_array<T, kCount>(std::make_index_sequence<kCount>()) ? AggregateFault::kArray
                                                                    : AggregateFault::kNone;
  }
}

/// Number of members of an aggregate.
template <AggregateClass T>
inline constexpr std::size_t kNumFields = num_initialisers<T>();

/// References to the members of an aggregate, in order; const when `value` is.
template <class T>
requires AggregateClass<std::remove_const_t<T>>
constexpr auto tie_fields(T& value) {
  constexpr std::size_t kCount = kNumFields<std::remove_const_t<T>>;
  // clang-format off
  if constexpr (kCount == 1) { auto& [a] = value; return std::tie(a); }
  else if constexpr (kCount == 2) { auto& [a, b] = value; return std::tie(a, b); }
  else if constexpr (kCount == 3) { auto& [a, b, c] = value; return std::tie(a, b, c); }
  else if constexpr (kCount == 4) { auto& [a, b, c, d] = value; return std::tie(a, b, c, d); }
  else if constexpr (kCount == 5) { auto& [a, b, c, d, e] = value; return std::tie(a, b, c, d, e); }
  else if constexpr (kCount == 6) { auto& [a, b, c, d, e, f] = value; return std::tie(a, b, c, d, e, f); }
  else if constexpr (kCount == 7) { auto& [a, b, c, d, e, f, g] = value; return std::tie(a, b, c, d, e, f, g); }
  else if constexpr (kCount == 8) { auto& [a, b, c, d, e, f, g, h] = value; return std::tie(a, b, c, d, e, f, g, h); }
  else if constexpr (kCount == 9) { auto& [a, b, c, d, e, f, g, h, i] = value; return std::tie(a, b, c, d, e, f, g, h, i); }
  else if constexpr (kCount == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = value; return std::tie(a, b, c, d, e, f, g, h, i, j); }
  else if constexpr (kCount == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
  else if constexpr (kCount == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
  else if constexpr (kCount == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m); }
  else if constexpr (kCount == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
  else if constexpr (kCount == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
  else { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
  // clang-format on
}

template <class T>
struct IsTupleLike : std::false_type {};
template <class... T>
struct IsTupleLike<std::tuple<T...>> : std::bool_constant<(sizeof...(T) > 0)> {};
template <class A, class B>
struct IsTupleLike<std::pair<A, B>> : std::true_type {};

/// References to the parts of a tuple, a pair or an aggregate.
template <class T>
constexpr auto fields_of(T& value) {
  if constexpr (IsTupleLike<std::remove_const_t<T>>::value) {
    return std::apply([](auto&... parts) { return std::tie(parts...); }, value);
  } else {
    return tie_fields(value);
  }
}

/// std::tuple of references to the parts of T; the types of the parts come from it.
template <class T>
using FieldsOf = decltype(fields_of(std::declval<T&>()));
template <class T>
inline constexpr std::size_t kNumParts = std::tuple_size_v<FieldsOf<T>>;
template <class T, std::size_t I>
using FieldAt = std::remove_cvref_t<std::tuple_element_t<I, FieldsOf<T>>>;

}  // namespace forklift::detail
