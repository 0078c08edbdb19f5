// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "throughput/pipe.hpp"

#include <nlohmann/json.hpp>

namespace bench {

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
