// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// The command line of forklift-throughput.
struct Settings {
  std::vector<std::string> workloads;
  std::vector<std::size_t> workers;
  std::vector<std::string> against;
  std::optional<std::size_t> batch_size;  ///< empty: each workload's own
  std::size_t prefetch_factor = 2;
  std::size_t rounds = 5;
  double round_seconds = 0.35;  ///< what a round is calibrated to
  std::filesystem::path json;   ///< empty: none
  std::filesystem::path data;
  std::filesystem::path python;  ///< empty: searched for
  bool smoke = false;
};

/// What parsing ended with: settings, or the status to leave with (0 after --help), everything
/// already printed.
struct ParsedSettings {
  std::optional<Settings> settings;
  int status = 0;
};

/// Reads the command line. Wrong arguments are told on stderr and give status 2.
[[nodiscard]] ParsedSettings parse_settings(int argc, const char* const* argv);

}  // namespace bench
