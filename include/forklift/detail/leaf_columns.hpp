// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <forklift/detail/collate_context.hpp>
#include <forklift/detail/column.hpp>
#include <forklift/detail/field_path.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/dtype.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor_adapter.hpp>

namespace forklift::detail {

/// Rows of equal size in the payload: what numbers, lists of numbers and tensors have in common.
class Rows {
 public:
  void start(CollateContext& context, DType dtype, const Shape& row) {
    dtype_ = dtype;
    row_ = row;
    stacked_ = stacked_shape(context, row);
    row_bytes_ = static_cast<std::uint64_t>(row.numel()) * item_size(dtype);
    // Checked by the shape of the whole only for elements; the bytes may still be more than 64 bits
    // hold.
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(row_bytes_, context.rows, &bytes)) {
      bytes = UINT64_MAX;
    }
    offset_ = context.out.allocate(bytes);
    first_ = context.out.at(offset_);
  }
  [[nodiscard]] std::byte* row(std::size_t index) const noexcept {
    return first_ + index * row_bytes_;
  }
  [[nodiscard]] std::uint64_t row_bytes() const noexcept { return row_bytes_; }
  [[nodiscard]] const Shape& row_shape() const noexcept { return row_; }
  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  void pack(SlotCursor& out) const { out.put_tensor(dtype_, stacked_, offset_); }

 private:
  DType dtype_ = DType::f32;
  Shape row_;
  Shape stacked_;
  std::uint64_t row_bytes_ = 0;
  std::uint64_t offset_ = 0;
  std::byte* first_ = nullptr;
};

template <class T>
class Column<T, Kind::kNumber> {
 public:
  void start(CollateContext& context, const T& /*first*/, const FieldPath& /*path*/) {
    rows_.start(context, kDTypeOf<T>, Shape());
  }
  void put(CollateContext& /*context*/,
           std::size_t row,
           const T& value,
           const FieldPath& /*path*/) {
    std::memcpy(rows_.row(row), &value, sizeof(T));
  }
  void pack(SlotCursor& out) { rows_.pack(out); }

 private:
  Rows rows_;
};

template <class T>
class Column<T, Kind::kNumberList> {
  using Element = typename ListTraits<T>::Element;

 public:
  void start(CollateContext& context, const T& first, const FieldPath& /*path*/) {
    length_ = first.size();
    rows_.start(context, kDTypeOf<Element>, Shape({static_cast<std::int64_t>(length_)}));
  }
  void put(CollateContext& context, std::size_t row, const T& values, const FieldPath& path) {
    if (values.size() != length_) [[unlikely]] {
      throw_shape_mismatch(path,
                           context.first_and(row),
                           Shape({static_cast<std::int64_t>(length_)}),
                           Shape({static_cast<std::int64_t>(values.size())}));
    }
    if constexpr (std::is_same_v<T, std::vector<bool>>) {
      std::byte* to = rows_.row(row);
      for (const bool value : values) {
        *to++ = static_cast<std::byte>(value);
      }
    } else if (length_ != 0) {
      std::memcpy(rows_.row(row), values.data(), rows_.row_bytes());
    }
  }
  void pack(SlotCursor& out) { rows_.pack(out); }

 private:
  Rows rows_;
  std::size_t length_ = 0;
};

template <class T>
class Column<T, Kind::kTensor> {
 public:
  void start(CollateContext& context, const T& first, const FieldPath& /*path*/) {
    const TensorView view = TensorAdapter<T>::view(first);
    rows_.start(context, view.dtype, Shape(view.sizes));
  }
  void put(CollateContext& context, std::size_t row, const T& tensor, const FieldPath& path) {
    const TensorView view = TensorAdapter<T>::view(tensor);
    if (!std::ranges::equal(view.sizes, rows_.row_shape().sizes())) [[unlikely]] {
      throw_shape_mismatch(path, context.first_and(row), rows_.row_shape(), Shape(view.sizes));
    }
    if (view.dtype != rows_.dtype()) [[unlikely]] {
      throw_dtype_mismatch(path, context.first_and(row), name(rows_.dtype()), name(view.dtype));
    }
    if (rows_.row_bytes() != 0) {
      copy_elements(tensor, view, rows_.row(row), rows_.row_bytes());
    }
  }
  void pack(SlotCursor& out) { rows_.pack(out); }

 private:
  Rows rows_;
};

template <class T>
class Column<T, Kind::kText> {
 public:
  void start(CollateContext& context, const T& /*first*/, const FieldPath& /*path*/) {
    texts_.clear();
    texts_.reserve(context.rows);
  }
  void put(CollateContext& /*context*/,
           std::size_t /*row*/,
           const T& text,
           const FieldPath& /*path*/) {
    texts_.push_back(text);
  }
  void pack(SlotCursor& out) { detail::pack(out, texts_); }

 private:
  std::vector<T> texts_;
};

}  // namespace forklift::detail
