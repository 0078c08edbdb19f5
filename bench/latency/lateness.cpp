// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "latency/bare_hand_over.hpp"
#include "latency/clock.hpp"
#include "latency/sections.hpp"
#include "throughput/forklift_pass.hpp"

#include <forklift/data_loader.hpp>

namespace bench {
namespace {

constexpr double kLimitUs = 100;
// Where the machine alone needs more, the loader may add half as much again.
constexpr double kOfBare = 1.5;

/// Computes for a while and says when it was done. Collation and hand-over come after that and
/// count as lateness.
class Stamps {
 public:
  Stamps(std::size_t num_samples, std::int64_t work_ns)
      : num_samples_(num_samples),
        work_ns_(work_ns) {}
  [[nodiscard]] std::size_t size() const { return num_samples_; }
  [[nodiscard]] std::int64_t get(std::size_t /*index*/) const { return compute_for(work_ns_); }

 private:
  std::size_t num_samples_;
  std::int64_t work_ns_;
};

/// Microseconds of the batches that were waited for: one that was done before it was asked
/// for is not late.
std::vector<double> lateness(std::size_t num_workers, std::int64_t work_ns, double seconds) {
  const double batches =
      seconds * 1e9 / static_cast<double>(work_ns) * static_cast<double>(num_workers);
  forklift::DataLoader loader(Stamps(static_cast<std::size_t>(batches), work_ns),
                              {.num_workers = num_workers, .on_warning = ignore_warning});
  std::vector<double> out;
  auto batch = loader.begin();
  for (;;) {
    const std::int64_t asked = now_ns();
    if (batch == loader.end()) {
      break;
    }
    const std::int64_t got = now_ns();
    const std::int64_t done = batch->data<const std::int64_t>()[0];
    if (done >= asked) {
      out.push_back(static_cast<double>(got - done) / 1e3);
    }
    ++batch;
  }
  return out;
}

/// Prints a line and returns the median; infinity when there is none.
double report_line(const std::string& who, std::int64_t work_ns, std::vector<double> late) {
  fmt::print("{:>7} {:>9} {:>9}", who, static_cast<double>(work_ns) / 1e6, late.size());
  if (late.empty()) {
    fmt::print(" no batch was waited for\n");
    return std::numeric_limits<double>::infinity();
  }
  std::sort(late.begin(), late.end());
  const double median = late[late.size() / 2];
  fmt::print(" {:>9.1f} {:>9.1f} {:>9.1f}\n", median, late[late.size() * 99 / 100], late.back());
  return median;
}

}  // namespace

Verdict report_lateness(double seconds) {
  fmt::print(
      "lateness: us from a computing worker's end of a batch to the consumer that waits for it ");
  fmt::print("(limit {} in the median, or {} of bare)\n", kLimitUs, kOfBare);
  fmt::print("{:>7} {:>9} {:>9}", "workers", "batch ms", "waited");
  fmt::print(" {:>9} {:>9} {:>9}\n", "median", "p99", "max");
  bool all_kept = true;
  for (const std::int64_t work_ns : {100'000L, 1'000'000L, 10'000'000L}) {
    const auto count = static_cast<std::size_t>(seconds * 1e9 / static_cast<double>(work_ns));
    const double bare = report_line("bare", work_ns, bare_hand_overs(count, work_ns));
    for (const std::size_t num_workers : {1UL, 2UL}) {
      const double median = report_line(
          std::to_string(num_workers), work_ns, lateness(num_workers, work_ns, seconds));
      all_kept &= median < std::max(kLimitUs, kOfBare * bare);
    }
  }
  return all_kept ? Verdict::kKept : Verdict::kMissed;
}

}  // namespace bench
