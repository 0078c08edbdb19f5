// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include <forklift/count.hpp>

namespace forklift::detail {

/// What one of several processes takes of a list: the elements rank, rank + num_replicas, ... All
/// take equally many: the list is repeated from its front, or its end is dropped. No process takes
/// an element twice. Source: PyTorch 2.15 torch/utils/data/distributed.py.
class RankShare {
 public:
  /// Errors: InvalidOptions if num_replicas is 0 or less, or rank is not in 0..num_replicas-1.
  RankShare(const Count& num_replicas, const Count& rank, std::size_t length, bool drop_last);

  /// Elements that each process takes where only those from `first` on are shared.
  [[nodiscard]] std::size_t size(std::size_t first = 0) const noexcept {
    const std::size_t rest = length_ - first;
    return rest / num_replicas_ + (rest % num_replicas_ != 0 && !drop_last_ ? 1 : 0);
  }
  [[nodiscard]] std::size_t num_replicas() const noexcept { return num_replicas_; }
  [[nodiscard]] std::size_t rank() const noexcept { return rank_; }
  /// Elements of the whole list.
  [[nodiscard]] std::size_t length() const noexcept { return length_; }

 private:
  std::size_t num_replicas_;
  std::size_t rank_;
  std::size_t length_;
  bool drop_last_;
};

/// Where the rest of a pass begins that was begun by other processes, perhaps more or fewer.
struct PassRest {
  std::size_t first = 0;  ///< the element of the list that comes next
  std::size_t taken = 0;  ///< indices that each process had taken
};

/// The places in the list that one process takes, one by one. Where the list is at its end, its
/// front comes again, also when only the rest of it is shared.
class RankPositions {
 public:
  RankPositions(const RankShare& share, const PassRest& rest) noexcept
      : position_(rest.first + share.rank()),
        left_(share.size(rest.first)),
        step_(share.num_replicas()),
        length_(share.length()),
        taken_(rest.taken) {}

  std::optional<std::size_t> next() noexcept {
    if (left_ == 0) {
      return std::nullopt;
    }
    --left_;
    const std::size_t position = position_;
    position_ += step_;
    return position < length_ ? position : position % length_;
  }

  /// Passes over `count` places, or those that are left; returns how many. What was taken before
  /// the rest counts, where nothing was asked for yet.
  std::size_t skip(std::size_t count) noexcept {
    const std::size_t before = std::min(count, taken_);
    taken_ -= before;
    const std::size_t skipped = std::min(count - before, left_);
    left_ -= skipped;
    position_ += skipped * step_;
    return before + skipped;
  }

 private:
  std::size_t position_;
  std::size_t left_;
  std::size_t step_;
  std::size_t length_;
  std::size_t taken_;
};

}  // namespace forklift::detail
