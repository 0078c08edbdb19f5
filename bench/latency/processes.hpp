// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// The living children of this process: a loader's workers, where nothing else was forked.
[[nodiscard]] std::vector<pid_t> child_processes();

/// CPU time that a process and all its threads have used, in nanoseconds. Errors: std::system_error
/// when it is gone.
[[nodiscard]] std::int64_t cpu_time_ns(pid_t pid);

/// Proportional set size in bytes: shared pages count as a part for each process that has them.
/// Errors: std::runtime_error when the kernel does not say.
[[nodiscard]] std::size_t proportional_set_size(pid_t pid);

}  // namespace bench
