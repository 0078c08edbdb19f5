// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <forklift/dtype.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor.hpp>

namespace forklift {

/// What the core needs to know of a tensor to copy it.
struct TensorView {
  const std::byte* elements =
      nullptr;  ///< row-major elements; null when they do not lie in one piece
  DType dtype = DType::f32;
  std::span<const std::int64_t> sizes;  ///< valid as long as the tensor
};

/// By this trait the core knows a tensor type that is not its own. `forklift/torch.hpp` specialises
/// it for torch::Tensor.
///
/// A specialisation has kIsTensor = true, kForeign = true for all but forklift::Tensor, and
///   static TensorView view(const T&);                         // TensorError for what cannot
///   travel static void copy(const T&, std::byte* to);                // row-major, for tensors
///   that do not lie in one piece static T wrap(std::byte* elements, const Shape&, DType,
///   std::shared_ptr<const void> owner); static detail::LibraryHooks hooks(); // fork safety and
///   random numbers of its library
///   static T row(const T&, std::int64_t index);  // row of the first dimension; shares the memory
template <class T>
struct TensorAdapter {
  static constexpr bool kIsTensor = false;
};

template <>
struct TensorAdapter<Tensor> {
  static constexpr bool kIsTensor = true;
  static constexpr bool kForeign = false;

  [[nodiscard]] static TensorView view(const Tensor& tensor) noexcept {
    return {tensor.bytes().data(), tensor.dtype(), tensor.shape().sizes()};
  }
  [[nodiscard]] static Tensor wrap(std::byte* elements,
                                   const Shape& shape,
                                   DType dtype,
                                   std::shared_ptr<const void> owner) {
    return Tensor::over(elements, shape, dtype, std::move(owner));
  }
  [[nodiscard]] static Tensor row(const Tensor& tensor, std::int64_t index) {
    return tensor.row(index);
  }
};

}  // namespace forklift
