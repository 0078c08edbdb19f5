// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "throughput/rival_process.hpp"
#include "throughput/settings.hpp"

namespace bench {

/// A loader that can be started for one workload.
struct LoaderSpec {
  std::string name;
  std::function<RivalProcess()> start;
  /// Its failure is told and does not end the measurement: not for what this program is built from.
  bool is_foreign = false;
};

/// What is loaded, and by whom.
struct Workload {
  std::string name;
  std::string description;
  std::size_t default_batch_size = 1;
  std::size_t bytes_per_sample = 0;  ///< values and label
  /// How far the sum of a batch may be off, for each sample: 0 for whole numbers.
  double sum_tolerance_per_sample = 0;
  /// Runs in this process; says what every loader must deliver.
  std::function<Contender()> reference;
  std::vector<LoaderSpec> loaders;  ///< forklift first
  std::vector<std::string>
      left_out;  ///< a line for each rival that was asked for and cannot be started
};

/// The workload called `name` with the rivals that the settings ask for. Its data is loaded now and
/// kept by the functions in it. Errors: Forklift's for data that cannot be read.
[[nodiscard]] Workload make_workload(const std::string& name, const Settings& settings);

}  // namespace bench
