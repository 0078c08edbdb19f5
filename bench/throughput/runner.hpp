// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "throughput/progress.hpp"
#include "throughput/results.hpp"
#include "throughput/settings.hpp"
#include "throughput/workloads.hpp"

namespace bench {

/// Calls of Progress::step that measure() makes.
[[nodiscard]] std::size_t num_steps(const Workload& workload, const Settings& settings);

/// Measures all loaders of a workload at all numbers of workers: for each number, first an epoch of
/// each loader that is checked against the reference, then the length of a round is found for each,
/// then the rounds, in turn. Errors: std::runtime_error when a loader delivers something else than
/// the reference, or fails and is not foreign.
[[nodiscard]] WorkloadResult measure(const Workload& workload,
                                     const Settings& settings,
                                     Progress& progress);

}  // namespace bench
