// SPDX-License-Identifier: MIT
#pragma once

#include <forklift/detail/slot_cursor.hpp>
#include <forklift/dtype.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor.hpp>

namespace forklift {

/// Gives a collate_fn tensors that already lie in the slot of its batch, so that nothing is copied
/// after it returns.
///
/// Owner:  the loader; valid during the call of collate_fn. So are the tensors: keep none of them.
/// Thread: the one that calls collate_fn.
/// Errors: ResourceError when the batch does not fit into its slot, before a page is touched.
class BatchWriter {
 public:
  explicit BatchWriter(detail::SlotCursor& cursor) : cursor_(cursor) {}
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  /// Not initialised: the slot may show bytes of an earlier batch.
  [[nodiscard]] Tensor empty(const Shape& shape, DType dtype = DType::f32);
  [[nodiscard]] Tensor zeros(const Shape& shape, DType dtype = DType::f32);

 private:
  detail::SlotCursor& cursor_;
};

}  // namespace forklift
