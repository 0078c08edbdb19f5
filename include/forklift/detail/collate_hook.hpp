// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <forklift/batch_writer.hpp>
#include <forklift/detail/fields.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/tensor_adapter.hpp>

/// The customisation point of collation: `forklift_collate`, a function beside a type of the user's
/// (see Collated).
namespace forklift::detail {

// Ordinary look-up ends here: only functions in the type's own namespace are found, so that none is
// missed or taken because of the order of includes.
void forklift_collate() = delete;

template <class T>
concept HookIntoSlot = requires(std::span<const T> samples, BatchWriter& slot) {
  forklift_collate(samples, slot);
};
template <class T>
concept HookToBatch = requires(std::span<const T> samples) {
  forklift_collate(samples);
};
template <class T>
concept HasHook = std::is_object_v<T> &&(HookIntoSlot<T> || HookToBatch<T>);

template <class T>
struct IsStdMap : std::false_type {};
template <class... T>
struct IsStdMap<std::map<T...>> : std::true_type {};
template <class... T>
struct IsStdMap<std::unordered_map<T...>> : std::true_type {};

/// Types that are not the user's own and have a rule that no function changes.
template <class T>
concept RuleIsFixed = TensorAdapter<T>::kIsTensor || Number<T> || kIsText<T> ||
    ListTraits<T>::kIsList || IsOptional<T>::value || IsTupleLike<T>::value || IsStdMap<T>::value;

/// A type of samples that forklift_collate() collates.
template <class T>
concept HasCustomRule = !RuleIsFixed<T> && HasHook<T>;

template <class T>
consteval Kind sample_kind_of() {
  if constexpr (HasCustomRule<T>) {
    return Kind::kCustom;
  } else {
    return kKind<T>;
  }
}

/// What a part of a sample is. A batch is packed by kKind, also one whose type has a function.
template <class T>
inline constexpr Kind kSampleKind = sample_kind_of<T>();

template <HasHook T>
decltype(auto) call_hook(std::span<const T> samples, [[maybe_unused]] BatchWriter& slot) {
  if constexpr (HookIntoSlot<T>) {
    return forklift_collate(samples, slot);
  } else {
    return forklift_collate(samples);
  }
}

/// The batch that forklift_collate() makes of samples of type T.
template <HasHook T>
using HookResult = std::remove_cvref_t<decltype(call_hook(std::declval<std::span<const T>>(),
                                                          std::declval<BatchWriter&>()))>;

// What a wrong forklift_collate() of T may take.
template <class Argument, class T>
struct TakesSamples : std::is_same<std::remove_cv_t<std::remove_pointer_t<Argument>>, T> {};
template <template <class...> class List, class T, class... Rest>
struct TakesSamples<List<T, Rest...>, T> : std::true_type {};
template <class Element, std::size_t N, class T>
struct TakesSamples<std::span<Element, N>, T> : std::is_same<std::remove_cv_t<Element>, T> {};

// Stands for such an argument, and for no other: functions for other types of the same namespace
// must not look like one for T.
template <class T>
struct AnySamples {
  template <class Argument>
  requires TakesSamples<std::remove_cvref_t<Argument>, T>::value operator Argument()
      const noexcept;  // NOLINT(google-explicit-constructor)
};

template <class T>
concept HasWrongHook =
    !HasHook<T> &&
    (
        requires(AnySamples<T> any) { forklift_collate(any); } ||
        requires(AnySamples<T> any, BatchWriter& slot) { forklift_collate(any, slot); } ||
        requires(std::vector<T> & list) { forklift_collate(list); } ||
        requires(std::vector<T> & list, BatchWriter& slot) { forklift_collate(list, slot); });

/// Fails to compile, with one readable message, for a type of samples that cannot be collated.
template <class T>
consteval bool check_collates() {
  if constexpr (RuleIsFixed<T>) {
    static_assert(!HasHook<T>,
                  "Forklift: forklift_collate() cannot change how numbers, tensors, texts, lists, "
                  "optionals, maps, pairs and tuples are collated; wrap this type into a struct");
  } else if constexpr (HasHook<T>) {
    static_assert(kKind<HookResult<T>> != Kind::kRefused,
                  "Forklift: what forklift_collate() of this type returns cannot travel from a "
                  "worker to the trainer; see Collated in forklift/collated.hpp");
  } else if constexpr (HasWrongHook<T>) {
    static_assert(!HasWrongHook<T>,
                  "Forklift: forklift_collate() of this type T must be callable as "
                  "(std::span<const T>) or (std::span<const T>, forklift::BatchWriter&)");
  } else {
    static_assert(check_travels<T>());
  }
  return true;  // one message is enough
}

}  // namespace forklift::detail
