// SPDX-License-Identifier: MIT
#pragma once

// The sections of forklift-latency. Each prints a table on stdout and says whether every line of it
// kept its limit.

#include <cstddef>

namespace bench {

/// What a section found. Limits are printed with the numbers; --check makes a missed one a failure.
enum class Verdict : bool { kMissed, kKept };

/// What a null batch costs, for 0, 1 and 2 workers: the side of the waiting rule on which nobody
/// sleeps. No limit.
[[nodiscard]] Verdict report_null_batches(double seconds);

/// How long after a worker finished a batch of 0.1, 1 and 10 ms the consumer has it: the side on
/// which somebody sleeps; before it, what a bare pipe takes here. Limit: 100 us in the median, or
/// half as much again as the pipe where the machine alone needs that.
[[nodiscard]] Verdict report_lateness(double seconds);

/// CPU time of each process while it waits 10 ms for each batch. Limit: 1 % of a core.
[[nodiscard]] Verdict report_waiting_cost(double seconds);

/// From begin() to the first batch, new workers each time, for a dataset of 1 MB. Limit: 50 ms in
/// the median.
[[nodiscard]] Verdict report_startup(std::size_t repetitions);

/// Proportional set size of all processes in mid-epoch. Limit: bytes in flight + 20 MB.
[[nodiscard]] Verdict report_memory();

}  // namespace bench
