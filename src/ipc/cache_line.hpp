// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace forklift::ipc {

/// Line size that the layout of shared memory is padded to. Our own number: the constant of the
/// standard library differs between compilers, and a layout must not.
inline constexpr std::size_t kCacheLine = 64;

/// The object of type T that format() made `offset` bytes into a shared mapping.
///
/// Owner: the mapping; the pointer is private to this process and is never stored in the mapping.
template <class T>
[[nodiscard]] T* shared_at(std::byte* memory, std::size_t offset) noexcept {
  return static_cast<T*>(static_cast<void*>(memory + offset));
}

}  // namespace forklift::ipc
