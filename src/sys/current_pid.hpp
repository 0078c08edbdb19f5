// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

namespace forklift::sys {

/// getpid() without its system call: about 1 ns instead of 100, so that every handle can check on
/// every use whether it still is in the process that made it. Right in forked children too.
///
/// Thread: any. Not for a child made by vfork, which shares its parent's memory.
[[nodiscard]] pid_t current_pid() noexcept;

}  // namespace forklift::sys
