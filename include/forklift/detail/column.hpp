// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <forklift/detail/collate_context.hpp>
#include <forklift/detail/collate_hook.hpp>
#include <forklift/detail/field_path.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/detail/slot_cursor.hpp>

/// A Column<T> gathers one part of the samples of a batch: start() with the first sample, put() for
/// every sample, pack() at the end. Columns are kept from batch to batch for the memory of their
/// vectors. put() may move from a sample that is not const.
namespace forklift::detail {

template <class T, Kind = kSampleKind<T>>
class Column;

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

}  // namespace forklift::detail
