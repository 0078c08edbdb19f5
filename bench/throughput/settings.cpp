// SPDX-License-Identifier: MIT
#include "throughput/settings.hpp"

#include <cstdint>
#include <cstdlib>

#include <CLI/CLI.hpp>

namespace bench {
namespace {

constexpr const char* kDescription =
    "Measures how fast Forklift delivers batches, next to rivals that do the same work, in turn "
    "and round by round.\n"
    "Each loader's results are checked in an epoch of their own before it is timed.";

/// The numbers as they were typed, signed, so that a negative one is told as such.
struct Raw {
  std::vector<std::int64_t> workers{0, 2, 4, 8, 16, 32};
  std::int64_t batch_size = 0;
  std::int64_t prefetch_factor = 2;
  std::int64_t rounds = 5;
};

std::vector<std::size_t> sizes(const std::vector<std::int64_t>& numbers) {
  std::vector<std::size_t> out;
  for (const std::int64_t number : numbers) {
    const auto value = static_cast<std::size_t>(number);
    if (std::find(out.begin(), out.end(), value) == out.end()) {
      out.push_back(value);
    }
  }
  return out;
}

template <class T>
void remove_repeated(std::vector<T>& values) {
  std::vector<T> out;
  for (T& value : values) {
    if (std::find(out.begin(), out.end(), value) == out.end()) {
      out.push_back(std::move(value));
    }
  }
  values = std::move(out);
}

void declare(CLI::App& app, Settings& settings, Raw& raw) {
  app.add_option("workloads", settings.workloads, "What is loaded: null, fashion-mnist, images")
      ->check(CLI::IsMember({"null", "fashion-mnist", "images"}))
      ->capture_default_str();
  app.add_option("--workers", raw.workers, "Numbers of workers to sweep over")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{255}))
      ->capture_default_str();
  app.add_option("--batch-size",
                 raw.batch_size,
                 "Samples in a batch (each workload has a default of its own)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
  app.add_option("--prefetch-factor",
                 raw.prefetch_factor,
                 "Batches asked for ahead of the consumer, for each worker")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 12))
      ->capture_default_str();
  app.add_option("--against", settings.against, "Rivals: raw, torch_data, pytorch")
      ->delimiter(',')
      ->check(CLI::IsMember({"raw", "torch_data", "pytorch"}))
      ->capture_default_str();
  app.add_option("--rounds", raw.rounds, "Timed rounds of each loader (5; with --smoke 2)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}));
  app.add_option("--json", settings.json, "File for the same results as JSON");
  app.add_option("--data", settings.data, "Folder with the Fashion-MNIST idx files")
      ->capture_default_str();
  app.add_option(
      "--python", settings.python, "Python interpreter with torch, for the rival pytorch");
  app.add_flag(
      "--smoke", settings.smoke, "Short rounds: checks that everything works, judges no speed");
}

}  // namespace

ParsedSettings parse_settings(int argc, const char* const* argv) {
  Settings settings;
  settings.workloads = {"null", "fashion-mnist", "images"};
  settings.against = {"raw", "torch_data", "pytorch"};
  settings.data = "/usr/share/datasets/fashion-mnist";
  Raw raw;
  CLI::App app(kDescription, "forklift-throughput");
  declare(app, settings, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, app.exit(error) == 0 ? 0 : 2};
  }
  remove_repeated(settings.workloads);
  remove_repeated(settings.against);
  settings.workers = sizes(raw.workers);
  if (raw.batch_size > 0) {
    settings.batch_size = static_cast<std::size_t>(raw.batch_size);
  }
  settings.prefetch_factor = static_cast<std::size_t>(raw.prefetch_factor);
  settings.rounds = static_cast<std::size_t>(raw.rounds);
  if (settings.smoke) {
    settings.round_seconds = 0.02;
    settings.rounds = app.count("--rounds") > 0 ? settings.rounds : 2;
    settings.workers =
        app.count("--workers") > 0 ? settings.workers : std::vector<std::size_t>{0, 1, 2};
  }
  return {std::move(settings), 0};
}

}  // namespace bench
