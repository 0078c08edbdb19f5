// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

namespace forklift::detail {

/// Uninitialised heap bytes, aligned to Tensor::kAlignment, and their owner in one allocation.
struct MemoryBlock {
  std::byte* memory = nullptr;
  std::shared_ptr<const void> owner;
};

/// Errors: std::bad_alloc.
[[nodiscard]] MemoryBlock allocate_block(std::size_t bytes);

}  // namespace forklift::detail
