// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <forklift/tensor.hpp>

namespace forklift::test {

template <class T = std::int64_t>
std::vector<T> values(const Tensor& tensor) {
  const auto elements = tensor.data<T>();
  return {elements.begin(), elements.end()};
}

struct Numbers {
  std::int64_t count = 10;
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(count); }
  [[nodiscard]] static std::int64_t get(std::size_t index) {
    return static_cast<std::int64_t>(index);
  }
};

/// Elements of all batches of one pass.
template <class Loader>
std::vector<std::int64_t> all(Loader& loader) {
  std::vector<std::int64_t> numbers;
  for (const Tensor& batch : loader) {
    const auto part = values(batch);
    numbers.insert(numbers.end(), part.begin(), part.end());
  }
  return numbers;
}

}  // namespace forklift::test
