// SPDX-License-Identifier: MIT
#include "sys/pid_fd.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <string>

#include "sys/poller.hpp"
#include "sys/resource_limits.hpp"
#include "sys/syscalls.hpp"

namespace forklift::sys {

UniqueFd open_pid_fd(pid_t pid) {
  UniqueFd fd(raw::pidfd_open(pid, 0));  // Close-on-exec by itself.
  if (!fd.is_open()) {
    throw_system_error("pidfd_open", "process " + std::to_string(pid), errno);
  }
  return fd;
}

bool is_gone(const UniqueFd& pidfd) noexcept {
  return is_gone(pidfd.get());
}

bool is_gone(int pidfd) noexcept {
  std::array fds{readable(pidfd)};
  return wait_until_ready(fds, std::chrono::steady_clock::time_point{}) == Woken::kReady;
}

}  // namespace forklift::sys
