// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <utility>

#include "sys/cancellation.hpp"

namespace forklift::sys {

/// Owns one file descriptor and closes it. Empty (-1) by default.
class UniqueFd {
 public:
  UniqueFd() noexcept = default;
  explicit UniqueFd(int fd) noexcept : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() { reset(); }

  /// Closes the descriptor. Nothing to do when empty.
  void reset() noexcept {
    if (fd_ >= 0) {
      const CancellationOff off;
      // Linux frees the number whatever close returns; a retry could close somebody else's.
      static_cast<void>(::close(std::exchange(fd_, -1)));
    }
  }
  /// Gives the descriptor to the caller, who closes it.
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }

  /// The number, or -1.
  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace forklift::sys
