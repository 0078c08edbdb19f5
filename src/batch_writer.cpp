// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <forklift/batch_writer.hpp>
#include <forklift/dtype.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor.hpp>

namespace forklift {

Tensor BatchWriter::empty(const Shape& shape, DType dtype) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(shape.numel()), item_size(dtype), &bytes)) {
    bytes = UINT64_MAX;  // more than any slot: allocate() says so
  }
  const std::uint64_t offset = cursor_.allocate(bytes);
  return Tensor::over(cursor_.at(offset), shape, dtype, nullptr);
}

Tensor BatchWriter::zeros(const Shape& shape, DType dtype) {
  Tensor out = empty(shape, dtype);
  std::ranges::fill(out.bytes(), std::byte{0});
  return out;
}

}  // namespace forklift
