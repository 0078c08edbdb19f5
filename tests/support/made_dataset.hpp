// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace forklift::test_support {

/// A dataset of `size` samples that a function makes, so that the tests of one sample type share
/// one loader type.
template <class T>
class Made {
 public:
  Made(std::size_t size, std::function<T(std::size_t)> make)
      : size_(size),
        make_(std::move(make)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T get(std::size_t index) const { return make_(index); }
  void resize(std::size_t size) { size_ = size; }

 private:
  std::size_t size_;
  std::function<T(std::size_t)> make_;
};

}  // namespace forklift::test_support
