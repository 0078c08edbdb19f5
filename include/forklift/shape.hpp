// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace forklift {

/// The sizes of a tensor, one for each dimension, held inline.
///
/// Shapes: [] is a scalar with one element; a size of 0 is legal and means no elements.
/// Errors: TensorError for a negative size, more than kMaxDims dimensions, or a product of the
/// sizes that does not fit in 63 bits.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): no more than dim_ sizes are read
class Shape {
 public:
  static constexpr std::size_t kMaxDims = 16;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes)
      : Shape(std::span(sizes.begin(), sizes.size())) {}
  explicit Shape(std::span<const std::int64_t> sizes);

  [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
  [[nodiscard]] std::span<const std::int64_t> sizes() const noexcept {
    return {sizes_.data(), dim_};
  }
  [[nodiscard]] std::int64_t operator[](std::size_t dimension) const noexcept {
    return sizes_[dimension];
  }
  /// Number of elements.
  [[nodiscard]] std::int64_t numel() const noexcept { return numel_; }
  /// The same sizes behind a new first one: the shape of `rows` samples stacked.
  [[nodiscard]] Shape stacked(std::int64_t rows) const;
  /// The sizes without the first one. Requires dim() > 0.
  [[nodiscard]] Shape row() const;
  /// As PyTorch writes it: "[3, 224, 224]".
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Shape& left, const Shape& right) noexcept {
    return std::ranges::equal(left.sizes(), right.sizes());
  }

 private:
  std::array<std::int64_t, kMaxDims> sizes_;  // the first dim_ are set
  std::size_t dim_ = 0;
  std::int64_t numel_ = 1;
};

}  // namespace forklift
