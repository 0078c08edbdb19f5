// SPDX-License-Identifier: MIT
#include "throughput/report_json.hpp"

namespace bench {

nlohmann::ordered_json report_json(const nlohmann::ordered_json& machine,
                                   const std::vector<WorkloadResult>& results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const WorkloadResult& result : results) {
    for (const Row& row : result.rows) {
      rows.push_back({{"workload", row.workload},
                      {"loader", row.loader},
                      {"num_workers", row.num_workers},
                      {"batch_size", row.batch_size},
                      {"samples_per_s", row.samples_per_s()},
                      {"us_per_batch", row.us_per_batch()},
                      {"bytes_per_s", row.bytes_per_s()},
                      {"rounds", row.rounds}});
    }
  }
  return {{"machine", machine}, {"rows", std::move(rows)}};
}

}  // namespace bench
