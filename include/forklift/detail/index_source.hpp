// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace forklift::detail {

/// One pass over a sampler, with the user's type erased. After the end, or after an exception, it
/// stays at its end. Thread: one at a time.
class IndexCursor {
 public:
  IndexCursor() = default;
  IndexCursor(const IndexCursor&) = delete;
  IndexCursor& operator=(const IndexCursor&) = delete;
  virtual ~IndexCursor() = default;

  /// Sets `index` to the next one; false at the end.
  /// Errors: InvalidOptions for a negative index; whatever the sampler throws.
  virtual bool next(std::size_t& index) = 0;
  /// Appends up to `count` indices to `indices` and stops at the end: next() `count` times for one
  /// virtual call.
  virtual void append(std::size_t count, std::vector<std::size_t>& indices) = 0;
  /// Passes over `count` indices, or those that are left; returns how many. Errors: as next().
  virtual std::size_t skip(std::size_t count) = 0;
};

/// One pass over a batch sampler, with the user's type erased. After the end, or after an
/// exception, it stays at its end. Thread: one at a time.
class BatchCursor {
 public:
  BatchCursor() = default;
  BatchCursor(const BatchCursor&) = delete;
  BatchCursor& operator=(const BatchCursor&) = delete;
  virtual ~BatchCursor() = default;

  /// Replaces `indices` by the next batch, which may be an empty one; false at the end. Keeps the
  /// capacity of `indices`. Errors: InvalidOptions for a negative index; whatever the sampler
  /// throws.
  virtual bool next(std::vector<std::size_t>& indices) = 0;
  /// Passes over what was taken before: `batches` batches, or, where batches are cut from a stream
  /// of indices and it is known, `samples` indices. Returns the number of indices. Errors: as
  /// next().
  virtual std::size_t skip(std::size_t batches, std::optional<std::size_t> samples) = 0;
};

/// What may stand for an index: any integer type but bool.
template <class T>
concept IndexInteger = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

/// Errors: InvalidOptions that shows `index` and says that it came from a sampler.
[[noreturn]] void throw_negative_index(std::int64_t index);
/// Errors: InvalidOptions that shows `size`, a number of elements that makes no sense.
[[noreturn]] void throw_negative_size(std::int64_t size);
/// Errors: InvalidOptions, for an empty list of a batch sampler.
[[noreturn]] void throw_empty_batch();

/// Errors: InvalidOptions for a negative value.
template <IndexInteger T>
[[nodiscard]] std::size_t to_size(T value) {
  if constexpr (std::signed_integral<T>) {
    if (value < 0) {
      throw_negative_size(value);
    }
  }
  return static_cast<std::size_t>(value);
}

/// Errors: InvalidOptions for a negative value.
template <IndexInteger T>
[[nodiscard]] std::size_t to_index(T value) {
  if constexpr (std::signed_integral<T>) {
    if (value < 0) {
      throw_negative_index(value);
    }
  }
  return static_cast<std::size_t>(value);
}

/// True for samplers that never give an index twice in one pass if their indices_are_unique() says
/// so. Only samplers of the library specialise it: what a user's sampler gives counts as repeating.
template <class Sampler>
inline constexpr bool kKnowsUniqueness = false;

}  // namespace forklift::detail
