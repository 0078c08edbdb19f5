// SPDX-License-Identifier: MIT
#include "throughput/channel.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace bench {

void Channel::send(const nlohmann::json& message) {
  const std::string line = message.dump() + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t written = write(out_.get(), line.data() + sent, line.size() - sent);
    if (written < 0 && errno != EINTR) {
      throw std::runtime_error("the process has ended");
    }
    sent += written > 0 ? static_cast<std::size_t>(written) : 0;
  }
}

nlohmann::json Channel::receive(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  std::size_t end = pending_.find('\n');
  while (end == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd entry{in_.get(), POLLIN, 0};
    if (left.count() <= 0 || poll(&entry, 1, static_cast<int>(left.count()) + 1) == 0) {
      throw std::runtime_error("the process did not answer in time");
    }
    std::array<char, 1U << 16U> piece{};
    const ssize_t got = read(in_.get(), piece.data(), piece.size());
    if (got == 0 || (got < 0 && errno != EINTR)) {
      throw std::runtime_error("the process has ended");
    }
    const std::size_t searched = pending_.size();
    pending_.append(piece.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    end = pending_.find('\n', searched);
  }
  const std::string line = pending_.substr(0, end);
  pending_.erase(0, end + 1);
  nlohmann::json message = nlohmann::json::parse(line, nullptr, false);
  if (message.is_discarded()) {
    throw std::runtime_error("the process wrote what is no JSON: " + line.substr(0, 200));
  }
  return message;
}

void Channel::close() noexcept {
  out_.reset();
}

}  // namespace bench
