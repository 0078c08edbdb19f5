// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <forklift/detail/field_path.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/shape.hpp>

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

}  // namespace forklift::detail
