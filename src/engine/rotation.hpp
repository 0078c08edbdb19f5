// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace forklift::engine {

/// Whose turn it is: each of them in turn, but for those that have left. Thread: one at a time.
class Rotation {
 public:
  Rotation(std::size_t size, std::size_t first)
      : is_active_(size, true),
        num_active_(size),
        next_(first) {}

  /// The next one that is there and that `may` is true of.
  template <class May>
  [[nodiscard]] std::optional<std::uint32_t> next(May may) {
    for (std::size_t i = 0; i < is_active_.size(); ++i) {
      const auto candidate = static_cast<std::uint32_t>(next_);
      next_ = next_ + 1 == is_active_.size() ? 0 : next_ + 1;
      if (is_active_[candidate] && may(candidate)) {
        return candidate;
      }
    }
    return std::nullopt;
  }
  /// False if it had left before.
  bool leave(std::uint32_t which) {
    if (!is_active_[which]) {
      return false;
    }
    is_active_[which] = false;
    --num_active_;
    return true;
  }
  [[nodiscard]] std::size_t num_active() const noexcept { return num_active_; }

 private:
  std::vector<bool> is_active_;
  std::size_t num_active_;
  std::size_t next_;
};

}  // namespace forklift::engine
