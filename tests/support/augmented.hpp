// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <forklift/forklift.hpp>

namespace forklift::test_support {

/// A number and what the sample's random numbers make of it.
class Augmented {
 public:
  explicit Augmented(std::size_t size) : size_(size) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  std::int64_t get(std::size_t index, SampleRng& rng) const {
    return static_cast<std::int64_t>(1000 * index + static_cast<std::size_t>(rng.below(1000)));
  }

 private:
  std::size_t size_;
};

}  // namespace forklift::test_support
