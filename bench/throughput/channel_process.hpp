// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "throughput/channel.hpp"

namespace bench {

/// A child at the other end of a channel. It is killed when this process dies.
class ChannelProcess {
 public:
  /// Calls `run` in a forked child, with the child's ends; the child ends when it returns. This
  /// process must not have other threads. Errors: std::system_error.
  [[nodiscard]] static ChannelProcess fork_one(
      const std::function<void(OwnedFd in, OwnedFd out)>& run);
  /// Runs `script` in an interpreter that has the channel as its standard input and output. One
  /// that cannot be run is a process that ends without a word. Errors: std::system_error.
  [[nodiscard]] static ChannelProcess run_python(const std::filesystem::path& python,
                                                 const std::filesystem::path& script,
                                                 const std::vector<std::string>& arguments = {});

  ChannelProcess(ChannelProcess&& other) noexcept;
  ChannelProcess& operator=(ChannelProcess&&) = delete;
  ChannelProcess(const ChannelProcess&) = delete;
  ChannelProcess& operator=(const ChannelProcess&) = delete;
  /// Closes the channel, kills the process if it does not end after a grace time, and reaps it.
  ~ChannelProcess();

  [[nodiscard]] Channel& channel() noexcept { return channel_; }

 private:
  ChannelProcess(pid_t pid, Channel channel) : pid_(pid), channel_(std::move(channel)) {}

  pid_t pid_;
  Channel channel_;
};

}  // namespace bench
