// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/batch_writer.hpp>
#include <forklift/detail/collate_context.hpp>
#include <forklift/detail/collate_hook.hpp>
#include <forklift/detail/column.hpp>
#include <forklift/detail/field_path.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/detail/slot_cursor.hpp>

namespace forklift::detail {

/// Values that forklift_collate() is given all at once.
template <class T>
class Column<T, Kind::kCustom> {
 public:
  void start(CollateContext& context, const T& /*first*/, const FieldPath& /*path*/) {
    values_.clear();
    values_.reserve(context.rows);
  }
  template <class Value>
  void put(CollateContext& /*context*/,
           std::size_t /*row*/,
           Value& value,
           const FieldPath& /*path*/) {
    if constexpr (!std::is_const_v<Value>) {
      values_.push_back(std::move(value));
    } else if constexpr (std::copy_constructible<T>) {
      values_.push_back(value);
    } else {
      static_assert(std::copy_constructible<T>,
                    "Forklift: values for forklift_collate() must be copyable when get() returns a "
                    "reference; return the sample by value");
    }
  }
  void pack(SlotCursor& out) {
    if constexpr (kKind<HookResult<T>> != Kind::kRefused) {  // else check_collates() has said it
      const std::vector<T> values = std::exchange(values_, {});  // dropped also when it throws
      BatchWriter slot(out);
      detail::pack<HookResult<T>>(out, call_hook(std::span<const T>(values), slot));
    }
  }

 private:
  std::vector<T> values_;
};

}  // namespace forklift::detail
