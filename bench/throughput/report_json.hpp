// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "throughput/results.hpp"

#include <nlohmann/json.hpp>

namespace bench {

/// {"machine": ..., "rows": [{"workload", "loader", "num_workers", "batch_size", "samples_per_s",
/// "us_per_batch", "bytes_per_s", "rounds": [samples per second, ...]}, ...]}; the first three
/// numbers are of the median round.
[[nodiscard]] nlohmann::ordered_json report_json(const nlohmann::ordered_json& machine,
                                                 const std::vector<WorkloadResult>& results);

}  // namespace bench
