// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

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

/// One side of a conversation in lines of JSON.
class Channel {
 public:
  Channel(OwnedFd in, OwnedFd out) noexcept : in_(std::move(in)), out_(std::move(out)) {}

  /// Errors: std::runtime_error when the other side is gone.
  void send(const nlohmann::json& message);
  /// Waits for a whole line. Errors: std::runtime_error when the other side is gone, is late or
  /// wrote no JSON.
  [[nodiscard]] nlohmann::json receive(std::chrono::milliseconds limit);
  /// Tells the other side that nothing more will come.
  void close() noexcept;

 private:
  OwnedFd in_;
  OwnedFd out_;
  std::string pending_;  // read and not yet a whole line
};

}  // namespace bench
