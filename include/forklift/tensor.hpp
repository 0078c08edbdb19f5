// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/dtype.hpp>
#include <forklift/shape.hpp>

namespace forklift {

/// A handle to contiguous, row-major elements of one type. Copies share the memory.
///
/// Owner:  each handle keeps its memory alive: a heap block of its own, a lent slot of a ring, or
/// what the user named.
///         A tensor out of a loader is valid as long as the handle, also after the loader is gone.
/// Thread: handles of one memory may be copied and dropped on any thread; the elements have no
/// lock.
class Tensor {
 public:
  /// Alignment in bytes of memory that Forklift allocates. A row of such a tensor may lie on any
  /// element.
  static constexpr std::size_t kAlignment = 64;

  /// No elements: shape [0], float32.
  Tensor() : shape_({0}) {}

  /// Memory of its own, not initialised. Errors: std::bad_alloc.
  [[nodiscard]] static Tensor empty(const Shape& shape, DType dtype = DType::f32);
  /// Memory of its own, all bits zero.
  [[nodiscard]] static Tensor zeros(const Shape& shape, DType dtype = DType::f32);
  /// Memory of its own, each element `value`, with the dtype of T.
  template <Number T>
  [[nodiscard]] static Tensor full(const Shape& shape, T value) {
    Tensor out = empty(shape, kDTypeOf<T>);
    for (T& element : out.data<T>()) {
      element = value;
    }
    return out;
  }
  /// A one-dimensional copy of `values`.
  template <Number T>
  [[nodiscard]] static Tensor of(std::span<const T> values) {
    Tensor out = empty({static_cast<std::int64_t>(values.size())}, kDTypeOf<T>);
    std::copy(values.begin(), values.end(), out.data<T>().begin());
    return out;
  }
  template <Number T>
  [[nodiscard]] static Tensor of(const std::vector<T>& values) {
    Tensor out = empty({static_cast<std::int64_t>(values.size())}, kDTypeOf<T>);
    std::copy(values.begin(), values.end(), out.data<T>().begin());
    return out;
  }
  /// Elements that lie elsewhere. `memory` holds shape.numel() elements and stays valid as long as
  /// `owner` lives; an empty `owner` leaves that to the caller.
  [[nodiscard]] static Tensor over(std::byte* memory,
                                   const Shape& shape,
                                   DType dtype,
                                   std::shared_ptr<const void> owner) {
    return {memory, shape, dtype, std::move(owner)};
  }

  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  /// Number of dimensions.
  [[nodiscard]] std::int64_t dim() const noexcept {
    return static_cast<std::int64_t>(shape_.dim());
  }
  /// Size of one dimension; negative ones count from the last. Errors: TensorError when there is no
  /// such dimension.
  [[nodiscard]] std::int64_t size(std::int64_t dimension) const;
  /// Number of elements.
  [[nodiscard]] std::int64_t numel() const noexcept { return shape_.numel(); }
  [[nodiscard]] std::size_t num_bytes() const noexcept {
    return static_cast<std::size_t>(numel()) * item_size(dtype_);
  }

  /// The elements as T; `data<const T>()` for reading only.
  /// Errors: TensorError when T does not stand for dtype().
  template <Number T>
  [[nodiscard]] std::span<T> data() const {
    if (kDTypeOf<T> != dtype_) [[unlikely]] {
      throw_wrong_type(kDTypeOf<T>);
    }
    return {static_cast<T*>(static_cast<void*>(memory_)), static_cast<std::size_t>(numel())};
  }
  /// The elements as bytes, whatever their type.
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {memory_, num_bytes()}; }

  /// The one element of a tensor of one element. Errors: TensorError for another count or type.
  template <Number T>
  [[nodiscard]] T item() const {
    const auto elements = data<T>();
    if (elements.size() != 1) [[unlikely]] {
      throw_not_one();
    }
    return elements.front();
  }

  /// Row `index` of the first dimension, sharing the memory. Errors: TensorError for a scalar or an
  /// index out of range.
  [[nodiscard]] Tensor row(std::int64_t index) const;
  /// The same elements under another shape. Errors: TensorError when the number of elements
  /// differs.
  [[nodiscard]] Tensor reshape(const Shape& shape) const;
  /// A copy with memory of its own.
  [[nodiscard]] Tensor clone() const;

  /// What keeps the memory alive; empty when nobody of ours does.
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

 private:
  Tensor(std::byte* memory, const Shape& shape, DType dtype, std::shared_ptr<const void> owner)
      : memory_(memory),
        owner_(std::move(owner)),
        shape_(shape),
        dtype_(dtype) {}
  [[noreturn]] void throw_wrong_type(DType asked) const;
  [[noreturn]] void throw_not_one() const;

  std::byte* memory_ = nullptr;
  std::shared_ptr<const void> owner_;
  Shape shape_;
  DType dtype_ = DType::f32;
};

}  // namespace forklift
