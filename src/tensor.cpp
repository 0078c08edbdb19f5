// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <forklift/detail/memory_block.hpp>
#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift {

Tensor Tensor::empty(const Shape& shape, DType dtype) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(shape.numel()), item_size(dtype), &bytes)) {
    throw std::bad_alloc();
  }
  auto block = detail::allocate_block(bytes);
  return {block.memory, shape, dtype, std::move(block.owner)};
}

Tensor Tensor::zeros(const Shape& shape, DType dtype) {
  Tensor out = empty(shape, dtype);
  std::ranges::fill(out.bytes(), std::byte{0});
  return out;
}

std::int64_t Tensor::size(std::int64_t dimension) const {
  const std::int64_t counted = dimension < 0 ? dimension + dim() : dimension;
  if (counted < 0 || counted >= dim()) {
    throw TensorError(fmt::format("dimension {} of a tensor of shape {} with {} dimensions",
                                  dimension,
                                  shape_.text(),
                                  dim()));
  }
  return shape_[static_cast<std::size_t>(counted)];
}

Tensor Tensor::row(std::int64_t index) const {
  if (dim() == 0 || index < 0 || index >= shape_[0]) {
    throw TensorError(fmt::format("row {} of a tensor of shape {}", index, shape_.text()));
  }
  const Shape rest = shape_.row();
  const auto stride = static_cast<std::size_t>(rest.numel()) * item_size(dtype_);
  return {memory_ + static_cast<std::size_t>(index) * stride, rest, dtype_, owner_};
}

Tensor Tensor::reshape(const Shape& shape) const {
  if (shape.numel() != numel()) {
    throw TensorError(fmt::format(
        "shape {} cannot hold the {} elements of shape {}", shape.text(), numel(), shape_.text()));
  }
  return {memory_, shape, dtype_, owner_};
}

Tensor Tensor::clone() const {
  Tensor out = empty(shape_, dtype_);
  std::ranges::copy(bytes(), out.bytes().begin());
  return out;
}

void Tensor::throw_wrong_type(DType asked) const {
  throw TensorError(fmt::format("expected a tensor of {}, this one has {} and shape {}",
                                name(asked),
                                name(dtype_),
                                shape_.text()));
}

void Tensor::throw_not_one() const {
  throw TensorError(fmt::format(
      "item() needs one element, this tensor of shape {} has {}", shape_.text(), numel()));
}

}  // namespace forklift
