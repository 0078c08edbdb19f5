// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include <forklift/detail/memory_block.hpp>
#include <forklift/tensor.hpp>

namespace forklift::detail {
namespace {

// An allocator that adds room for the elements behind the object and its reference count. One plain
// allocation costs half of what an aligned one and a separate count cost, which matters for samples
// of a few hundred bytes.
template <class T>
struct AllocatorWithTail {
  using value_type = T;

  explicit AllocatorWithTail(std::size_t tail_bytes) noexcept : tail(tail_bytes) {}
  template <class U>
  explicit AllocatorWithTail(const AllocatorWithTail<U>& other) noexcept : tail(other.tail) {}

  T* allocate(std::size_t count) {
    std::size_t bytes = 0;
    if (__builtin_add_overflow(count * sizeof(T), tail, &bytes)) {
      throw std::bad_alloc();
    }
    return static_cast<T*>(::operator new(bytes));
  }
  void deallocate(T* memory, std::size_t /*count*/) noexcept { ::operator delete(memory); }
  template <class U>
  bool operator==(const AllocatorWithTail<U>& other) const noexcept {
    return tail == other.tail;
  }

  std::size_t tail;
};

// Stands at the start of the block; the elements follow at the next aligned address.
struct Anchor {
  std::byte first{};
};

}  // namespace

MemoryBlock allocate_block(std::size_t bytes) {
  if (bytes > PTRDIFF_MAX - Tensor::kAlignment) {
    throw std::bad_alloc();
  }
  auto anchor = std::allocate_shared<Anchor>(AllocatorWithTail<Anchor>(bytes + Tensor::kAlignment));
  // The tail begins no earlier than behind the anchor, and aligning moves it by at most kAlignment
  // bytes.
  void* start = &anchor->first + 1;
  std::size_t room = bytes + Tensor::kAlignment - 1;
  auto* aligned = static_cast<std::byte*>(std::align(Tensor::kAlignment, bytes, start, room));
  return {aligned, std::move(anchor)};
}

}  // namespace forklift::detail
