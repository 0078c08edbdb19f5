// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// Returns at the end of `work_ns` nanoseconds of computing, which is the time on now_ns()'s clock.
[[nodiscard]] std::int64_t compute_for(std::int64_t work_ns);

/// What this machine takes to wake a process that sleeps: lateness in microseconds, unsorted, of
/// `count` times that one process computes and then writes the time into a pipe that the other one
/// reads. No loader can be much better. Errors: std::system_error.
[[nodiscard]] std::vector<double> bare_hand_overs(std::size_t count, std::int64_t work_ns);

}  // namespace bench
