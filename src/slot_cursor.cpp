// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <forklift/detail/slot_cursor.hpp>
#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift::detail {
namespace {

// Saturates: a sum that wraps must not look like one that fits.
std::uint64_t add(std::uint64_t left, std::uint64_t right) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(left, right, &sum) ? UINT64_MAX : sum;
}

constexpr std::uint64_t align(std::uint64_t offset) {
  return (offset + Tensor::kAlignment - 1) & ~std::uint64_t{Tensor::kAlignment - 1};
}

}  // namespace

std::uint64_t SlotCursor::allocate(std::uint64_t bytes) {
  const std::uint64_t offset = align(payload_used_);
  const std::uint64_t end = add(offset, bytes);
  if (end > memory_.payload.size() || add(end, meta_used_) > memory_.budget) [[unlikely]] {
    throw_too_large(meta_used_, end);
  }
  if (end > ensured_ && memory_.ensure != nullptr) {
    memory_.ensure(memory_.context, end);
    ensured_ = end;
  }
  payload_used_ = end;
  return offset;
}

bool SlotCursor::holds(const std::byte* elements, std::uint64_t bytes) const noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory_.payload.data());
  const auto address = reinterpret_cast<std::uintptr_t>(elements);
  return address >= begin && address - begin <= payload_used_ &&
         bytes <= payload_used_ - (address - begin) && (address - begin) % Tensor::kAlignment == 0;
}

void SlotCursor::put_bytes(const void* from, std::size_t bytes) {
  const std::uint64_t end = add(meta_used_, bytes);
  if (end > memory_.meta.size() || add(end, payload_used_) > memory_.budget) [[unlikely]] {
    throw_too_large(end, payload_used_);
  }
  if (bytes != 0) {  // memcpy must not see the null pointer of an empty list
    std::memcpy(memory_.meta.data() + meta_used_, from, bytes);
  }
  meta_used_ = end;
}

void SlotCursor::put_tensor(DType dtype, const Shape& shape, std::uint64_t offset) {
  put(static_cast<std::uint8_t>(dtype));
  put(static_cast<std::uint8_t>(shape.dim()));
  put(offset);
  put_bytes(shape.sizes().data(), shape.sizes().size_bytes());
}

void SlotCursor::throw_too_large(std::uint64_t meta, std::uint64_t payload) const {
  throw ResourceError("its contents",
                      add(meta, payload),
                      memory_.budget,
                      "max_ring_bytes (each slot of the ring has an equal share of it), "
                      "batch_size, num_workers or prefetch_factor");
}

}  // namespace forklift::detail
