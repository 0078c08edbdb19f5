// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "throughput/results.hpp"

namespace bench {

/// The table of one workload: a line for each number of workers and loader.
[[nodiscard]] std::string table_text(const WorkloadResult& result);

}  // namespace bench
