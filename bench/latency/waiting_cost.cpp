// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>
#include <stdexcept>

#include "latency/clock.hpp"
#include "latency/processes.hpp"
#include "latency/sections.hpp"
#include "throughput/forklift_pass.hpp"

#include <forklift/data_loader.hpp>

namespace bench {
namespace {

constexpr double kLimitPercent = 1;
constexpr std::int64_t kTenMs = 10'000'000;
constexpr std::size_t kWarmUp = 8;  // batches before the measurement starts

void sleep_ns(std::int64_t length) {
  const timespec wanted{0, length};
  nanosleep(&wanted, nullptr);  // a shorter sleep only makes a batch come sooner
}

/// A worker that uses no CPU time of its own for a batch, so that what is left is the price of
/// waiting.
class Sleeper {
 public:
  Sleeper(std::size_t num_samples, std::int64_t sleep) : num_samples_(num_samples), sleep_(sleep) {}
  [[nodiscard]] std::size_t size() const { return num_samples_; }
  [[nodiscard]] std::int64_t get(std::size_t index) const {
    if (sleep_ > 0) {
      sleep_ns(sleep_);
    }
    return static_cast<std::int64_t>(index);
  }

 private:
  std::size_t num_samples_;
  std::int64_t sleep_;
};

/// Who takes 10 ms for a batch, and whom the others therefore wait for.
enum class Slow { kWorkers, kConsumer };

/// Percent of a core.
struct Cost {
  double consumer = 0;
  double busiest_worker = 0;
};

class CpuMeter {
 public:
  void start() {
    start_ns_ = now_ns();
    consumer_ = cpu_time_ns(getpid());
    for (const pid_t pid : child_processes()) {
      workers_[pid] = cpu_time_ns(pid);
    }
    if (workers_.empty()) {
      throw std::runtime_error("there are no workers to be measured");
    }
  }
  [[nodiscard]] Cost read() const {
    const auto percent = [wall = static_cast<double>(now_ns() - start_ns_)](std::int64_t used) {
      return 100 * static_cast<double>(used) / wall;
    };
    Cost cost{percent(cpu_time_ns(getpid()) - consumer_), 0};
    for (const auto& [pid, before] : workers_) {
      cost.busiest_worker = std::max(cost.busiest_worker, percent(cpu_time_ns(pid) - before));
    }
    return cost;
  }

 private:
  std::int64_t start_ns_ = 0;
  std::int64_t consumer_ = 0;
  std::map<pid_t, std::int64_t> workers_;
};

Cost cost_of_waiting(Slow slow, std::size_t num_workers, double seconds) {
  const std::size_t per_turn = slow == Slow::kWorkers ? num_workers : 1;
  const std::size_t measured = static_cast<std::size_t>(seconds * 100) * per_turn;
  // The window stays full until the measurement has ended.
  const std::size_t all = kWarmUp + measured + 4 * num_workers;
  forklift::DataLoader loader(Sleeper(all, slow == Slow::kWorkers ? kTenMs : 0),
                              {.num_workers = num_workers, .on_warning = ignore_warning});
  CpuMeter meter;
  std::size_t taken = 0;
  for (const forklift::Tensor& batch : loader) {
    static_cast<void>(batch);
    if (++taken == kWarmUp) {
      meter.start();
    }
    if (taken == kWarmUp + measured) {
      return meter.read();  // before the loop's end ends the workers
    }
    if (slow == Slow::kConsumer) {
      sleep_ns(kTenMs);
    }
  }
  throw std::logic_error("the loader delivered fewer batches than its dataset has samples");
}

/// Prints a line and says whether the limit was kept.
bool report_line(Slow slow, std::size_t num_workers, const Cost& cost) {
  const char* const who = slow == Slow::kWorkers ? "consumer for workers" : "workers for consumer";
  fmt::print(
      "{:>7} {:>22} {:>9.3f} {:>15.3f}\n", num_workers, who, cost.consumer, cost.busiest_worker);
  return std::max(cost.consumer, cost.busiest_worker) < kLimitPercent;
}

}  // namespace

Verdict report_waiting_cost(double seconds) {
  fmt::print("CPU time while waiting 10 ms for each batch: percent of a core (limit {})\n",
             kLimitPercent);
  fmt::print("{:>7} {:>22} {:>9} {:>15}\n", "workers", "who waits", "consumer", "busiest worker");
  bool all_kept = true;
  for (const std::size_t num_workers : {1UL, 2UL}) {
    for (const Slow slow : {Slow::kWorkers, Slow::kConsumer}) {
      all_kept &= report_line(slow, num_workers, cost_of_waiting(slow, num_workers, seconds));
    }
  }
  return all_kept ? Verdict::kKept : Verdict::kMissed;
}

}  // namespace bench
