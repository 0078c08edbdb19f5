// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <forklift/dtype.hpp>
#include <forklift/shape.hpp>

namespace forklift::detail {

/// Where one batch is written: the meta area takes structure, strings and errors, the payload takes
/// tensor elements.
struct SlotMemory {
  std::span<std::byte> meta;
  std::span<std::byte> payload;  ///< the whole virtual extent; only pages that are written exist
  std::uint64_t budget = 0;      ///< bytes that meta and payload may use together
  /// Called before bytes up to `payload_end` are written for the first time; throws ResourceError
  /// when the machine cannot give the pages. May be null.
  void (*ensure)(void* context, std::uint64_t payload_end) = nullptr;
  void* context = nullptr;
};

/// One tensor of a batch as it stands in the meta area.
struct TensorRecord {
  DType dtype = DType::f32;
  Shape shape;
  std::uint64_t offset =
      0;  ///< of the first element in the payload, in bytes; a multiple of Tensor::kAlignment
};

/// Writes one batch into a slot from front to back. The budget is checked before a page is touched.
///
/// Owner:  a view; the slot outlives it.
/// Thread: the one that fills the slot.
/// Errors: ResourceError with the bytes that the batch needs at least, when it does not fit.
class SlotCursor {
 public:
  explicit SlotCursor(const SlotMemory& memory) : memory_(memory) {}

  /// Room for the elements of one tensor in the payload, aligned and not initialised.
  /// Returns its offset; at() gives the address.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);
  [[nodiscard]] std::byte* at(std::uint64_t offset) const noexcept {
    return memory_.payload.data() + offset;
  }
  /// Whether `bytes` bytes from `elements` on were allocated here.
  [[nodiscard]] bool holds(const std::byte* elements, std::uint64_t bytes) const noexcept;

  /// Appends to the meta area.
  void put_bytes(const void* from, std::size_t bytes);
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { put_bytes(&value, sizeof(T)); }
  void put_tensor(DType dtype, const Shape& shape, std::uint64_t offset);

  [[nodiscard]] std::uint64_t meta_used() const noexcept { return meta_used_; }
  [[nodiscard]] std::uint64_t payload_used() const noexcept { return payload_used_; }
  /// Forgets what was written, for a batch that failed half-way.
  void rewind() noexcept { meta_used_ = payload_used_ = 0; }

 private:
  [[noreturn]] void throw_too_large(std::uint64_t meta, std::uint64_t payload) const;

  SlotMemory memory_;
  std::uint64_t meta_used_ = 0;
  std::uint64_t payload_used_ = 0;
  std::uint64_t ensured_ = 0;  // payload bytes that `ensure` has agreed to
};

}  // namespace forklift::detail
