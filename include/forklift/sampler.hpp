// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include <forklift/detail/index_source.hpp>

namespace forklift {

namespace detail {
template <class T>
concept OptionalIndex = requires(const T& value) {
  { value.has_value() } -> std::convertible_to<bool>;
  requires IndexInteger<std::remove_cvref_t<decltype(*value)>>;
};
template <class C>
concept CursorOfIndices = requires(C& cursor) {
  { cursor.next() } -> OptionalIndex;
};

/// A number of elements: fixed, or asked for each time, as PyTorch asks a dataset for its length.
class SizeSource {
 public:
  template <IndexInteger T>
  SizeSource(T size)  // NOLINT(google-explicit-constructor): a value made to convert
      : fixed_(to_size(size)) {}
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, SizeSource> && std::invocable<F&> &&
           IndexInteger<std::invoke_result_t<F&>>)
      SizeSource(F function)  // NOLINT(google-explicit-constructor): a value made to convert
      : function_([f = std::move(function)]() mutable { return to_size(f()); }) {}

  /// Errors: InvalidOptions for a negative size; whatever the function throws.
  [[nodiscard]] std::size_t operator()() const { return function_ ? function_() : fixed_; }

 private:
  std::size_t fixed_ = 0;
  std::function<std::size_t()> function_;
};
}  // namespace detail

/// An input range of integers; it is iterated anew each epoch.
template <class S>
concept IndexRange = std::ranges::input_range<S> &&
    detail::IndexInteger<std::remove_cvref_t<std::ranges::range_reference_t<S>>>;

/// What gives a loader its indices: an IndexRange, or a type with iterate() (const or not), called
/// for each epoch, that returns a cursor with `next() -> std::optional<std::size_t>` (any integer
/// type will do).
///
/// Optional members: `size()`, the number of indices in an epoch; `set_epoch(n)`, called through
/// the loader; `state_dict() -> std::string` (text), asked before each pass, and
/// `load_state_dict(std::string)`, after which the next pass goes as the one did before which the
/// state was taken; its cursor may have `skip(n) -> std::size_t`. Owner: the loader keeps a copy;
/// it outlives the cursors. Thread: the one that iterates the loader.
template <class S>
concept Sampler = IndexRange<S> || requires(S& sampler) {
  { sampler.iterate() } -> detail::CursorOfIndices;
};

/// The indices 0..n-1 in order.
/// Source: PyTorch 2.15 torch/utils/data/sampler.py, SequentialSampler (the length is read when a
/// pass starts).
class SequentialSampler {
 public:
  /// One pass.
  class Cursor {
   public:
    explicit Cursor(std::size_t end) noexcept : end_(end) {}
    std::optional<std::size_t> next() noexcept {
      return next_ < end_ ? std::optional<std::size_t>(next_++) : std::nullopt;
    }
    /// Passes over `count` indices, or those that are left; returns how many.
    std::size_t skip(std::size_t count) noexcept {
      const std::size_t skipped = std::min(count, end_ - next_);
      next_ += skipped;
      return skipped;
    }

   private:
    std::size_t next_ = 0;
    std::size_t end_;
  };

  /// `size` is an integer, or a function that is asked for it. Errors: InvalidOptions for a
  /// negative one.
  explicit SequentialSampler(detail::SizeSource size) : size_(std::move(size)) {}

  [[nodiscard]] Cursor iterate() const { return Cursor(size_()); }
  [[nodiscard]] std::size_t size() const { return size_(); }
  [[nodiscard]] static constexpr bool indices_are_unique() noexcept { return true; }

 private:
  detail::SizeSource size_;
};

namespace detail {
template <>
inline constexpr bool kKnowsUniqueness<SequentialSampler> = true;
}  // namespace detail

}  // namespace forklift
