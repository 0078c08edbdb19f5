// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/field_path.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor_adapter.hpp>

/// Samples -> slot, one sample after the other: each row goes to its place in the slot and the
/// sample is dropped before the next one is read. The first sample decides dtypes, shapes, lengths
/// and keys.
///
/// A Column<T> gathers one part of the samples of a batch: start() with the first sample, put() for
/// every sample, pack() at the end. Columns are kept from batch to batch for the memory of their
/// vectors.
namespace forklift::detail {

/// The batch that is being collated.
struct CollateContext {
  SlotCursor& out;
  std::size_t rows;  ///< samples that will come
  std::span<const std::uint64_t>
      indices;  ///< their dataset indices; may be shorter when a bulk getter gives more, and is
                ///< empty for an iterable dataset
  bool is_batch = true;  ///< false: one sample, its tensors keep their shapes

  [[nodiscard]] TwoSamples first_and(std::size_t row) const noexcept {
    if (indices.empty()) {
      return {0, row, true};
    }
    return {index_of(0), index_of(row)};
  }

 private:
  [[nodiscard]] std::uint64_t index_of(std::size_t row) const noexcept {
    return row < indices.size() ? indices[row] : kNotAskedFor;
  }
};

inline Shape stacked_shape(const CollateContext& context, const Shape& row) {
  return context.is_batch ? row.stacked(static_cast<std::int64_t>(context.rows)) : row;
}

template <class T, Kind = kKind<T>>
class Column;

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

template <class T>
class Column<T, Kind::kSequence> {
  using Element = typename ListTraits<T>::Element;

 public:
  void start(CollateContext& context, const T& first, const FieldPath& path) {
    positions_.resize(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      positions_[i].start(context, first[i], FieldPath{&path, i});
    }
  }
  void put(CollateContext& context, std::size_t row, const T& values, const FieldPath& path) {
    if (values.size() != positions_.size()) [[unlikely]] {
      throw_length_mismatch(path, context.first_and(row), positions_.size(), values.size());
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      positions_[i].put(context, row, values[i], FieldPath{&path, i});
    }
  }
  void pack(SlotCursor& out) {
    out.put(static_cast<std::uint64_t>(positions_.size()));
    for (auto& position : positions_) {
      position.pack(out);
    }
  }

 private:
  std::vector<Column<Element>> positions_;
};

template <class T>
class Column<T, Kind::kOptional> {
 public:
  void start(CollateContext& context, const T& first, const FieldPath& path) {
    present_ = first.has_value();
    if (present_) {
      value_.start(context, *first, path);
    }
  }
  void put(CollateContext& context, std::size_t row, const T& value, const FieldPath& path) {
    if (value.has_value() != present_) [[unlikely]] {
      throw_presence_mismatch(path, context.first_and(row), present_);
    }
    if (present_) {
      value_.put(context, row, *value, path);
    }
  }
  void pack(SlotCursor& out) {
    out.put(static_cast<std::uint8_t>(present_));
    if (present_) {
      value_.pack(out);
    }
  }

 private:
  bool present_ = false;
  Column<typename T::value_type> value_;
};

template <class T>
class Column<T, Kind::kMap> {
  using Key = typename T::key_type;

 public:
  void start(CollateContext& context, const T& first, const FieldPath& path) {
    columns_.clear();
    for (const auto& [key, value] : first) {
      const std::string text = key_text(key);
      columns_[key].start(context, value, FieldPath{&path, 0, text});
    }
  }
  void put(CollateContext& context, std::size_t row, const T& map, const FieldPath& path) {
    for (auto& [key, column] : columns_) {
      const std::string text = key_text(key);
      const FieldPath here{&path, 0, text};
      const auto found = map.find(key);
      if (found == map.end()) [[unlikely]] {
        throw_missing_key(here, context.first_and(row));
      }
      column.put(context, row, found->second, here);
    }
  }
  void pack(SlotCursor& out) {
    out.put(static_cast<std::uint64_t>(columns_.size()));
    for (auto& [key, column] : columns_) {
      detail::pack(out, key);
      column.pack(out);
    }
  }

 private:
  static std::string key_text(const Key& key) {
    if constexpr (std::is_same_v<Key, std::string>) {
      return key;
    } else if constexpr (std::is_integral_v<Key>) {
      return std::to_string(key);
    } else {
      return std::to_string(static_cast<float>(key));
    }
  }

  std::map<Key, Column<typename T::mapped_type>> columns_;
};

// For a type that cannot travel, which check_travels() reports: the only message that the user is
// to see.
template <class T>
class Column<T, Kind::kRefused> {
 public:
  void start(CollateContext& /*context*/, const T& /*first*/, const FieldPath& /*path*/) {}
  void put(CollateContext& /*context*/,
           std::size_t /*row*/,
           const T& /*value*/,
           const FieldPath& /*path*/) {}
  void pack(SlotCursor& /*out*/) {}
};

template <class T, class Indices>
class RecordColumn;
template <class T, std::size_t... I>
class RecordColumn<T, std::index_sequence<I...>> {
 public:
  void start(CollateContext& context, const T& first, const FieldPath& path) {
    const auto parts = fields_of(first);
    (std::get<I>(columns_).start(context, std::get<I>(parts), FieldPath{&path, I}), ...);
  }
  void put(CollateContext& context, std::size_t row, const T& sample, const FieldPath& path) {
    const auto parts = fields_of(sample);
    (std::get<I>(columns_).put(context, row, std::get<I>(parts), FieldPath{&path, I}), ...);
  }
  void pack(SlotCursor& out) { (std::get<I>(columns_).pack(out), ...); }

 private:
  std::tuple<Column<FieldAt<T, I>>...> columns_;
};
template <class T>
class Column<T, Kind::kRecord> : public RecordColumn<T, std::make_index_sequence<kNumParts<T>>> {};

}  // namespace forklift::detail
