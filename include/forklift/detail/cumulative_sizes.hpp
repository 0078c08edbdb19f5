// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace forklift::detail {

/// Which of several datasets, one behind the other, has an index of the whole.
class CumulativeSizes {
 public:
  struct Place {
    std::size_t dataset;
    std::size_t index;  ///< in that dataset
  };

  /// Errors: InvalidOptions when the sum is more than 64 bits hold.
  void append(std::size_t size);
  [[nodiscard]] std::size_t count() const noexcept { return ends_.size(); }
  [[nodiscard]] std::size_t sum() const noexcept { return ends_.empty() ? 0 : ends_.back(); }
  /// Requires an index below sum().
  [[nodiscard]] Place locate(std::size_t index) const noexcept {
    // The first one that ends behind the index; empty ones before it end at their start.
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), index);
    const auto dataset = static_cast<std::size_t>(end - ends_.begin());
    return {dataset, index - (dataset == 0 ? 0 : ends_[dataset - 1])};
  }

 private:
  std::vector<std::size_t> ends_;
};

}  // namespace forklift::detail
