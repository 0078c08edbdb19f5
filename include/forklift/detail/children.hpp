// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/held_dataset.hpp>
#include <forklift/detail/held_iterable.hpp>
#include <forklift/detail/read_dataset.hpp>

namespace forklift::detail {

/// What a function returns for several datasets: exactly that where it is one type, so that
/// references stay references, else the value.
template <class First, class... Rest>
struct OneResult {
  using Type =
      std::conditional_t<(std::is_same_v<First, Rest> && ...), First, std::remove_cvref_t<First>>;
};

template <std::size_t At = 0, class Result, class Tuple, class F>
Result visit_nth(std::type_identity<Result> result, Tuple& tuple, std::size_t n, F& function) {
  if constexpr (At + 1 == std::tuple_size_v<std::remove_const_t<Tuple>>) {
    return function(std::get<At>(tuple));
  } else {
    if (n == At) {
      return function(std::get<At>(tuple));
    }
    return visit_nth<At + 1>(result, tuple, n, function);
  }
}

template <class D>
inline constexpr bool kStandsIn = std::is_same_v<D, NoDataset> || std::is_same_v<D, NoIterable>;

/// The datasets of a composition, each of a type of its own. `HeldAs` says what is held of one:
/// forklift::detail::HeldAs or HeldIterableAs.
template <template <class> class HeldAs, class... D>
class Children {
 public:
  using Offered = Getters<HeldAs<D>...>;
  using Sample = SampleOf<std::tuple_element_t<0, std::tuple<HeldAs<D>...>>>;
  /// Also true where one of them is none: the message about that is enough.
  static constexpr bool kOneSampleType =
      (kStandsIn<HeldAs<D>> || ...) || (std::is_same_v<Sample, SampleOf<HeldAs<D>>> && ...);

  explicit Children(D... datasets) : datasets_(std::move(datasets)...) {}

  [[nodiscard]] std::size_t count() const noexcept { return sizeof...(D); }
  template <class F>
  void for_each(F&& function) {
    std::apply([&](auto&... dataset) { (function(dataset), ...); }, datasets_);
  }
  template <class F>
  void for_each(F&& function) const {
    std::apply([&](auto&... dataset) { (function(dataset), ...); }, datasets_);
  }
  /// `function` of the n-th dataset; n must be one of them.
  template <class F>
  decltype(auto) visit(std::size_t n, F&& function) {
    using Result = typename OneResult<std::invoke_result_t<F&, HeldAs<D>&>...>::Type;
    return visit_nth(std::type_identity<Result>(), datasets_, n, function);
  }
  template <class F>
  decltype(auto) visit(std::size_t n, F&& function) const {
    using Result = typename OneResult<std::invoke_result_t<F&, const HeldAs<D>&>...>::Type;
    return visit_nth(std::type_identity<Result>(), datasets_, n, function);
  }

 private:
  std::tuple<HeldAs<D>...> datasets_;
};

/// The datasets of a composition, any number of one type.
template <template <class> class HeldAs, class D>
class Children<HeldAs, std::vector<D>> {
 public:
  using Offered = Getters<HeldAs<D>>;
  using Sample = SampleOf<HeldAs<D>>;
  static constexpr bool kOneSampleType = true;

  explicit Children(std::vector<D> datasets)
      : datasets_(std::make_move_iterator(datasets.begin()),
                  std::make_move_iterator(datasets.end())) {}

  [[nodiscard]] std::size_t count() const noexcept { return datasets_.size(); }
  template <class F>
  void for_each(F&& function) {
    for (auto& dataset : datasets_) {
      function(dataset);
    }
  }
  template <class F>
  void for_each(F&& function) const {
    for (const auto& dataset : datasets_) {
      function(dataset);
    }
  }
  template <class F>
  decltype(auto) visit(std::size_t n, F&& function) {
    return function(datasets_[n]);
  }
  template <class F>
  decltype(auto) visit(std::size_t n, F&& function) const {
    return function(datasets_[n]);
  }

 private:
  std::vector<HeldAs<D>> datasets_;
};

}  // namespace forklift::detail
