// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <forklift/count.hpp>

namespace forklift::detail {

/// What one of several processes takes of a list: the elements rank, rank + num_replicas, ... All
/// take equally many: the list is repeated from its front, or its end is dropped. No process takes
/// an element twice. Source: PyTorch 2.15 torch/utils/data/distributed.py.
class RankShare {
 public:
  /// Errors: InvalidOptions if num_replicas is 0 or less, or rank is not in 0..num_replicas-1.
  RankShare(const Count& num_replicas, const Count& rank, std::size_t length, bool drop_last);

  /// Elements that each process takes.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t num_replicas() const noexcept { return num_replicas_; }
  /// Elements of the whole list.
  [[nodiscard]] std::size_t length() const noexcept { return length_; }
  /// Where in the list element `n` of the share lies; `n` must be less than size().
  [[nodiscard]] std::size_t position(std::size_t n) const noexcept {
    const std::size_t position = rank_ + n * num_replicas_;
    return position < length_ ? position : position % length_;
  }

 private:
  std::size_t num_replicas_;
  std::size_t rank_;
  std::size_t length_;
  std::size_t size_;
};

}  // namespace forklift::detail
