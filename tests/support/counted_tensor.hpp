// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include <forklift/dtype.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor.hpp>

namespace forklift::test_support {

/// An int32 tensor whose element i is i.
inline Tensor counted(const Shape& shape) {
  Tensor tensor = Tensor::empty(shape, DType::i32);
  const auto elements = tensor.data<std::int32_t>();
  std::iota(elements.begin(), elements.end(), 0);
  return tensor;
}

/// The elements of an int32 tensor.
inline std::vector<std::int32_t> values(const Tensor& tensor) {
  const auto elements = tensor.data<std::int32_t>();
  return {elements.begin(), elements.end()};
}

}  // namespace forklift::test_support
