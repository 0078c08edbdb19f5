// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

namespace bench {

/// A file descriptor that is closed with its owner.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) noexcept : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  OwnedFd(const OwnedFd&) = delete;
  OwnedFd& operator=(const OwnedFd&) = delete;
  ~OwnedFd();

  void reset() noexcept { OwnedFd closing(std::move(*this)); }
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  int fd_ = -1;
};

/// Both ends of a new pipe, close-on-exec. Errors: std::system_error.
struct Pipe {
  OwnedFd read_end;
  OwnedFd write_end;
};
[[nodiscard]] Pipe make_pipe();

}  // namespace bench
