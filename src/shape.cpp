// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <forklift/error.hpp>
#include <forklift/shape.hpp>

namespace forklift {

Shape::Shape(std::span<const std::int64_t> sizes) : dim_(sizes.size()) {
  if (sizes.size() > kMaxDims) {
    throw TensorError(
        fmt::format("a tensor has at most {} dimensions, got {}", kMaxDims, sizes.size()));
  }
  std::ranges::copy(sizes, sizes_.begin());
  // A size of 0 must not hide an absurd one beside it, so the product leaves zeros out for the
  // check.
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) {
      throw TensorError(fmt::format("negative size {} in shape {}", size, text()));
    }
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(product, size, &product)) {
      throw TensorError(fmt::format("shape {} has more than 2^63 - 1 elements", text()));
    }
  }
  numel_ = empty ? 0 : product;
}

Shape Shape::stacked(std::int64_t rows) const {
  if (dim_ == kMaxDims) {
    throw TensorError(
        fmt::format("samples of shape {} cannot be stacked: a tensor has at most {} dimensions",
                    text(),
                    kMaxDims));
  }
  std::array<std::int64_t, kMaxDims> sizes{};
  sizes[0] = rows;
  std::ranges::copy(this->sizes(), sizes.begin() + 1);
  return Shape(std::span<const std::int64_t>(sizes.data(), dim_ + 1));
}

Shape Shape::row() const {
  return Shape(sizes().subspan(1));
}

std::string Shape::text() const {
  return fmt::format("[{}]", fmt::join(sizes(), ", "));
}

}  // namespace forklift
