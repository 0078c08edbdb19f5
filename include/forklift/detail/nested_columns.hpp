// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/collate_context.hpp>
#include <forklift/detail/column.hpp>
#include <forklift/detail/field_path.hpp>
#include <forklift/detail/fields.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/detail/slot_cursor.hpp>

namespace forklift::detail {

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
  template <class Value>
  void put(CollateContext& context, std::size_t row, Value& values, const FieldPath& path) {
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
  template <class Value>
  void put(CollateContext& context, std::size_t row, Value& value, const FieldPath& path) {
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
  template <class Value>
  void put(CollateContext& context, std::size_t row, Value& map, const FieldPath& path) {
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

template <class T, class Indices>
class RecordColumn;
template <class T, std::size_t... I>
class RecordColumn<T, std::index_sequence<I...>> {
 public:
  void start(CollateContext& context, const T& first, const FieldPath& path) {
    const auto parts = fields_of(first);
    (std::get<I>(columns_).start(context, std::get<I>(parts), FieldPath{&path, I}), ...);
  }
  template <class Value>
  void put(CollateContext& context, std::size_t row, Value& sample, const FieldPath& path) {
    const auto parts = fields_of(sample);
    (std::get<I>(columns_).put(context, row, part_of<I>(std::get<I>(parts)), FieldPath{&path, I}),
     ...);
  }
  void pack(SlotCursor& out) { (std::get<I>(columns_).pack(out), ...); }

 private:
  // What a tuple of references refers to is not the sample's own.
  template <std::size_t At, class Part>
  static auto& part_of(Part& part) {
    if constexpr (IsTupleLike<T>::value) {
      if constexpr (std::is_reference_v<std::tuple_element_t<At, T>>) {
        return std::as_const(part);
      } else {
        return part;
      }
    } else {
      return part;
    }
  }

  std::tuple<Column<FieldAt<T, I>>...> columns_;
};
template <class T>
class Column<T, Kind::kRecord> : public RecordColumn<T, std::make_index_sequence<kNumParts<T>>> {};

}  // namespace forklift::detail
