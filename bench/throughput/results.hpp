// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "throughput/statistics.hpp"

namespace bench {

/// One loader at one number of workers.
struct Row {
  std::string workload;
  std::string loader;
  std::size_t num_workers = 0;
  std::size_t batch_size = 0;
  double bytes_per_sample = 0;
  std::vector<double>
      rounds;  ///< samples per second, one entry a round, in the order in which they were run

  [[nodiscard]] double samples_per_s() const { return spread_of(rounds).median; }
  [[nodiscard]] double us_per_batch() const {
    return 1e6 * static_cast<double>(batch_size) / samples_per_s();
  }
  [[nodiscard]] double bytes_per_s() const { return samples_per_s() * bytes_per_sample; }
};

/// All rows of a workload, those of one number of workers together, forklift first.
struct WorkloadResult {
  std::string workload;
  std::string description;
  std::vector<Row> rows;
  std::vector<std::string> left_out;  ///< a line for each rival that could not run
};

}  // namespace bench
