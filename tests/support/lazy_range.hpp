// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace forklift::test_support {

/// A range whose elements are made when they are looked at. Not of std::views: clang++ 14 does not
/// compile those of libstdc++ 12.
class LazyRange {
 public:
  using Make = std::function<std::int64_t(std::size_t)>;

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = std::int64_t;
    using reference = std::int64_t;

    Iterator() = default;
    Iterator(const Make* make, std::size_t number) : make_(make), number_(number) {}
    std::int64_t operator*() const { return (*make_)(number_); }
    Iterator& operator++() {
      ++number_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++number_;
      return before;
    }
    friend bool operator==(const Iterator& left, const Iterator& right) {
      return left.number_ == right.number_;
    }

   private:
    const Make* make_ = nullptr;
    std::size_t number_ = 0;
  };

  LazyRange(std::size_t size, Make make) : size_(size), make_(std::move(make)) {}
  [[nodiscard]] Iterator begin() const { return {&make_, 0}; }
  [[nodiscard]] Iterator end() const { return {&make_, size_}; }

 private:
  std::size_t size_;
  Make make_;
};

}  // namespace forklift::test_support
