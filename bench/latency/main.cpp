// SPDX-License-Identifier: MIT

// forklift-latency: what waiting costs and how late it makes a batch, start-up and memory. See
// bench/README.md. Linked without libtorch: its threads and its 100 MB would be in every number.

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "latency/sections.hpp"

#include <CLI/CLI.hpp>

namespace {

using Section = std::pair<std::string, std::function<bench::Verdict()>>;

std::vector<Section> all_sections(const double& seconds) {
  return {
      {"null", [&] { return bench::report_null_batches(seconds); }},
      {"lateness", [&] { return bench::report_lateness(seconds); }},
      {"cpu", [&] { return bench::report_waiting_cost(seconds); }},
      {"startup", [&] { return bench::report_startup(static_cast<std::size_t>(5 + 5 * seconds)); }},
      {"memory", [] { return bench::report_memory(); }}};
}

bool is_chosen(const std::vector<std::string>& chosen, const std::string& name) {
  return chosen.empty() || std::find(chosen.begin(), chosen.end(), name) != chosen.end();
}

/// The status to leave with.
int run(const std::vector<std::string>& chosen, double seconds, bool check) {
  int status = 0;
  for (const auto& [name, report] : all_sections(seconds)) {
    if (is_chosen(chosen, name) && report() == bench::Verdict::kMissed) {
      fmt::print("{}: a limit was missed\n", name);
      status = check ? 1 : status;
    }
    fmt::print("\n");
    static_cast<void>(std::fflush(stdout));  // a long run is watched
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> chosen;
    double seconds = 2;
    bool check = false;
    CLI::App app("Measures both sides of Forklift's waiting rule, start-up and memory.",
                 "forklift-latency");
    app.add_option(
           "sections", chosen, "What to measure: null, lateness, cpu, startup, memory (all)")
        ->check(CLI::IsMember({"null", "lateness", "cpu", "startup", "memory"}));
    app.add_option("--seconds", seconds, "Length of each measurement")
        ->check(CLI::Range(0.1, 600.0))
        ->capture_default_str();
    app.add_flag("--check", check, "Leave with status 1 when a limit is missed");
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? 0 : 2;
    }
    return run(chosen, seconds, check);
  } catch (const std::exception& error) {
    fmt::print(stderr, "forklift-latency: {}\n", error.what());
    return 1;
  }
}
