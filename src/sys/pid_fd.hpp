// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include "sys/unique_fd.hpp"

namespace forklift::sys {

/// A descriptor of the process `pid`, close-on-exec, that polls readable once the process has ended
/// (all of its threads; also before it is reaped). It keeps meaning that process when the number is
/// used again.
///
/// Errors: SystemError, also where the kernel (before 5.3) or a sandbox has no pidfd_open.
[[nodiscard]] UniqueFd open_pid_fd(pid_t pid);

/// True once the process has ended. False when `pidfd` is closed: that says nothing.
[[nodiscard]] bool is_gone(const UniqueFd& pidfd) noexcept;
[[nodiscard]] bool is_gone(int pidfd) noexcept;

}  // namespace forklift::sys
