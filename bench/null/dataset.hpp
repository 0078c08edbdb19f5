// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

/// The smallest sample there is: its own index. What remains is the price of a batch.
class Numbers {
 public:
  explicit Numbers(std::size_t num_samples) : num_samples_(num_samples) {}
  [[nodiscard]] std::size_t size() const { return num_samples_; }
  [[nodiscard]] std::int64_t get(std::size_t index) const {
    return static_cast<std::int64_t>(index);
  }

 private:
  std::size_t num_samples_;
};

}  // namespace bench
