// SPDX-License-Identifier: MIT
#include "throughput/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "throughput/check.hpp"
#include "throughput/machine.hpp"

namespace bench {
namespace {

constexpr std::size_t kCheckedBatches = 9;  // and a half: the short last batch is checked too
constexpr int kCalibrations = 8;
constexpr double kGiB = 1U << 30U;
constexpr double kMostGrowth = 64;  // a first, short round says little

/// A loader while its workload is measured.
struct Running {
  Running(const LoaderSpec& loader_spec, RivalProcess started)
      : spec(&loader_spec),
        process(std::move(started)) {}
  const LoaderSpec* spec;
  RivalProcess process;
  std::size_t num_samples = 0;  // of a timed round
  std::vector<double> rates;    // samples per second at the present number of workers
  bool is_out = false;          // it failed, and may
};

class Measurement {
 public:
  Measurement(const Workload& workload, const Settings& settings, Progress& progress)
      : workload_(workload),
        settings_(settings),
        progress_(progress),
        batch_size_(settings.batch_size.value_or(workload.default_batch_size)),
        reference_(make_reference()) {
    result_.workload = workload.name;
    result_.description = workload.description;
    result_.left_out = workload.left_out;
  }

  WorkloadResult run() {
    start();
    for (const std::size_t num_workers : settings_.workers) {
      measure_at(num_workers);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t checked_samples() const {
    return kCheckedBatches * batch_size_ + (batch_size_ + 1) / 2;
  }
  [[nodiscard]] OpenArguments arguments(std::size_t num_samples, std::size_t num_workers) const {
    return {num_samples, batch_size_, num_workers, settings_.prefetch_factor};
  }

  [[nodiscard]] Observed make_reference() const {
    require_memory();
    const Contender contender = workload_.reference();
    contender.open(arguments(checked_samples(), 0));
    return contender.check();
  }

  /// Absurd sizes are told before the kernel has to kill somebody.
  void require_memory() const {
    const std::size_t most_workers =
        *std::max_element(settings_.workers.begin(), settings_.workers.end());
    const std::size_t batches =
        std::max(kCheckedBatches + 1, most_workers * settings_.prefetch_factor + 2);
    const double needed = static_cast<double>(batches) *
                          static_cast<double>(batch_size_ * workload_.bytes_per_sample);
    const auto available = static_cast<double>(available_memory());
    if (needed > available / 2) {
      throw std::runtime_error(fmt::format(
          "{}: {} batches of {} samples are {:.1f} GiB in flight, more than "
          "half of the {:.1f} GiB available; lower --batch-size, --prefetch-factor or --workers",
          workload_.name,
          batches,
          batch_size_,
          needed / kGiB,
          available / kGiB));
    }
  }

  void start() {
    for (const LoaderSpec& spec : workload_.loaders) {
      progress_.step(workload_.name, "starting " + spec.name);
      Running& running = loaders_.emplace_back(spec, spec.start());
      if (!running.process.left_out().empty()) {
        leave_out(running, running.process.left_out());
      }
    }
  }

  void leave_out(Running& running, const std::string& why) {
    running.is_out = true;
    result_.left_out.push_back(running.spec->name + ": " + why);
  }

  /// Does something with a loader; a failure of a foreign one puts it out of the race. Wrong
  /// results are a logic_error, which nobody is forgiven.
  template <class Action>
  void with(Running& running, std::size_t num_workers, const std::string& what, Action action) {
    progress_.step(fmt::format("{}, {} workers", workload_.name, num_workers),
                   running.spec->name + " " + what);
    if (running.is_out) {
      return;
    }
    try {
      action();
    } catch (const std::runtime_error& error) {
      const std::string where = fmt::format("with {} workers: {}", num_workers, error.what());
      if (!running.spec->is_foreign) {
        throw std::runtime_error(
            fmt::format("{}: {} {}", workload_.name, running.spec->name, where));
      }
      leave_out(running, where);
    }
  }

  void check(Running& running, std::size_t num_workers) {
    running.process.open(arguments(checked_samples(), num_workers));
    const double tolerance = workload_.sum_tolerance_per_sample * static_cast<double>(batch_size_);
    const std::string differs = difference(reference_, running.process.check(), tolerance);
    if (!differs.empty()) {
      throw std::logic_error(fmt::format("{}: {} with {} workers delivers wrong results: {}",
                                         workload_.name,
                                         running.spec->name,
                                         num_workers,
                                         differs));
    }
  }

  /// Finds how many samples take about a round's time and leaves the loader open with them, warm.
  void calibrate(Running& running, std::size_t num_workers) {
    const std::size_t step = batch_size_ * std::max<std::size_t>(1, num_workers);
    running.num_samples = step * settings_.prefetch_factor;
    for (int attempt = 0; attempt < kCalibrations; ++attempt) {
      running.process.open(arguments(running.num_samples, num_workers));
      static_cast<void>(
          running.process.round());  // the first one starts the workers and warms the memory
      const double growth = settings_.round_seconds / running.process.round();
      if (growth < 1.5) {
        return;
      }
      const double samples =
          static_cast<double>(running.num_samples) * std::min(growth, kMostGrowth);
      running.num_samples =
          static_cast<std::size_t>(std::ceil(samples / static_cast<double>(step))) * step;
    }
  }

  void measure_at(std::size_t num_workers) {
    for (Running& running : loaders_) {
      running.rates.clear();
      with(running, num_workers, "check", [&] { check(running, num_workers); });
      with(running, num_workers, "calibration", [&] { calibrate(running, num_workers); });
    }
    for (std::size_t round = 0; round < settings_.rounds; ++round) {
      run_round(round, num_workers);
    }
    keep_rows(num_workers);
  }

  void run_round(std::size_t round, std::size_t num_workers) {
    for (std::size_t turn = 0; turn < loaders_.size(); ++turn) {
      Running& running = loaders_[(turn + round) % loaders_.size()];  // nobody is always first
      with(running, num_workers, fmt::format("round {}", round + 1), [&running] {
        running.rates.push_back(static_cast<double>(running.num_samples) / running.process.round());
      });
    }
  }

  void keep_rows(std::size_t num_workers) {
    for (const Running& running : loaders_) {
      if (!running.is_out) {
        result_.rows.push_back({workload_.name,
                                running.spec->name,
                                num_workers,
                                batch_size_,
                                static_cast<double>(workload_.bytes_per_sample),
                                running.rates});
      }
    }
  }

  const Workload& workload_;
  const Settings& settings_;
  Progress& progress_;
  std::size_t batch_size_;
  Observed reference_;
  WorkloadResult result_;
  std::vector<Running> loaders_;
};

}  // namespace

std::size_t num_steps(const Workload& workload, const Settings& settings) {
  return workload.loaders.size() * (1 + settings.workers.size() * (2 + settings.rounds));
}

WorkloadResult measure(const Workload& workload, const Settings& settings, Progress& progress) {
  return Measurement(workload, settings, progress).run();
}

}  // namespace bench
