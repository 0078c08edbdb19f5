// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace forklift::sys {

/// A point in time to wait until; empty: for ever.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Why a wait ended.
enum class Woken : std::uint8_t {
  kReady,     ///< at least one descriptor has something (see its `revents`)
  kTimedOut,  ///< the deadline passed first
  kBroken,  ///< at least one descriptor is closed (POLLNVAL), or poll itself failed; waiting again
            ///< would return at once
};

/// `fd` to be waited on until it is readable; a negative one is ignored.
[[nodiscard]] constexpr pollfd readable(int fd) noexcept {
  return pollfd{.fd = fd, .events = POLLIN, .revents = 0};
}

/// Blocks until one of `fds` is ready or `deadline` passed; never returns early for a signal. With
/// a deadline in the past it looks once. Fills `revents`.
[[nodiscard]] Woken wait_until_ready(std::span<pollfd> fds, Deadline deadline) noexcept;

}  // namespace forklift::sys
