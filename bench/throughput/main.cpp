// SPDX-License-Identifier: MIT

// forklift-throughput: how fast Forklift and its rivals deliver batches, measured in turn. See
// bench/README.md.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "throughput/machine.hpp"
#include "throughput/report_json.hpp"
#include "throughput/runner.hpp"
#include "throughput/settings.hpp"
#include "throughput/table.hpp"
#include "throughput/torch_data.hpp"

namespace {

constexpr int kFailed = 1;

/// Opened before anything is measured: an hour's results must not end at a mistyped folder.
std::ofstream open_json(const std::filesystem::path& file) {
  std::ofstream out;
  if (!file.empty()) {
    out.open(file);
    if (!out) {
      throw std::runtime_error(fmt::format("--json: cannot write {}", file.string()));
    }
  }
  return out;
}

int run(const bench::Settings& settings) {
  std::ofstream json = open_json(settings.json);
  auto machine = bench::machine_json();
  machine["libtorch"] = bench::torch_version();
  fmt::print("machine: {}\n", bench::machine_text(machine));

  std::vector<bench::Workload> workloads;
  std::size_t steps = 0;
  for (const std::string& name : settings.workloads) {
    workloads.push_back(bench::make_workload(name, settings));
    steps += num_steps(workloads.back(), settings);
  }
  bench::Progress progress(steps);
  std::vector<bench::WorkloadResult> results;
  for (const bench::Workload& workload : workloads) {
    results.push_back(bench::measure(workload, settings, progress));
    progress.clear();
    fmt::print("\n{}", bench::table_text(results.back()));
    static_cast<void>(std::fflush(stdout));  // checked when the program ends
  }
  if (!settings.json.empty()) {
    json << bench::report_json(machine, results).dump(1) << '\n';
    json.close();
    if (!json) {
      throw std::runtime_error(fmt::format("--json: cannot write {}", settings.json.string()));
    }
  }
  return std::fflush(stdout) == 0 ? 0 : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    static_cast<void>(
        std::signal(SIGPIPE, SIG_IGN));  // a rival that ended is told as an error of its own
    const bench::ParsedSettings parsed = bench::parse_settings(argc, argv);
    return parsed.settings ? run(*parsed.settings) : parsed.status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "forklift-throughput: {}\n", error.what());
    return kFailed;
  }
}
