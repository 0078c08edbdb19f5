// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "latency/clock.hpp"
#include "latency/megabyte.hpp"
#include "latency/sections.hpp"
#include "throughput/forklift_pass.hpp"
#include "throughput/statistics.hpp"

#include <forklift/data_loader.hpp>

namespace bench {
namespace {

constexpr double kLimitMs = 50;
constexpr std::size_t kRowBytes = 1000;

double first_batch_ms(std::size_t num_workers) {
  forklift::DataLoader loader(
      Megabyte(Megabyte::kBytes / kRowBytes, kRowBytes),
      {.batch_size = 32, .num_workers = num_workers, .on_warning = ignore_warning});
  const std::int64_t start = now_ns();
  auto batch = loader.begin();
  const bool has_one = batch != loader.end();
  return has_one ? static_cast<double>(now_ns() - start) / 1e6 : -1;
}

}  // namespace

Verdict report_startup(std::size_t repetitions) {
  fmt::print(
      "start-up: ms from begin() to the first batch, dataset of 1 MB, new workers each time (limit "
      "{} in the "
      "median)\n",
      kLimitMs);
  fmt::print("{:>7} {:>9} {:>9} {:>9}\n", "workers", "median", "min", "max");
  Verdict verdict = Verdict::kKept;
  for (const std::size_t num_workers : {0UL, 1UL, 2UL, 8UL}) {
    std::vector<double> times;
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
      times.push_back(first_batch_ms(num_workers));
    }
    const Spread spread = spread_of(std::move(times));
    fmt::print(
        "{:>7} {:>9.3f} {:>9.3f} {:>9.3f}\n", num_workers, spread.median, spread.min, spread.max);
    verdict = spread.min >= 0 && spread.median < kLimitMs ? verdict : Verdict::kMissed;
  }
  return verdict;
}

}  // namespace bench
