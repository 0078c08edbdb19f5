// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <forklift/detail/slot_cursor.hpp>

namespace forklift::detail {

/// A batch as the engine hands it over: private structure, elements in place, one lease.
struct RawBatch {
  std::span<const std::byte> meta;    ///< a private copy, valid until the next batch is taken
  std::span<std::byte> payload;       ///< elements of all tensors
  std::shared_ptr<const void> owner;  ///< keeps the payload from being written again
};

/// Reads the meta area of a batch front to back. A worker may have scribbled over it, so that every
/// number is checked before it is used.
///
/// Errors: DataError when the bytes are not what a writer leaves.
class BatchReader {
 public:
  explicit BatchReader(RawBatch batch) : batch_(std::move(batch)) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] T take() {
    T value;
    take_bytes(&value, sizeof(T));
    return value;
  }
  void take_bytes(void* to, std::size_t bytes);
  /// A number of parts that take at least `bytes_each` meta bytes, which is not 0.
  [[nodiscard]] std::size_t take_count(std::size_t bytes_each);
  /// A number of parts that is known beforehand.
  void expect_count(std::size_t count);
  [[nodiscard]] TensorRecord take_tensor();

  [[nodiscard]] std::byte* at(std::uint64_t offset) const noexcept {
    return batch_.payload.data() + offset;
  }
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return batch_.owner; }
  /// Called when the whole batch was read. Errors: DataError when bytes are left.
  void expect_end() const;

 private:
  [[noreturn]] void throw_not_a_batch(std::string_view expected) const;

  RawBatch batch_;
  std::size_t position_ = 0;
};

}  // namespace forklift::detail
