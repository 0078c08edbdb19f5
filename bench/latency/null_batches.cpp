// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdint>

#include "latency/clock.hpp"
#include "latency/sections.hpp"
#include "null/dataset.hpp"
#include "throughput/forklift_pass.hpp"
#include "throughput/statistics.hpp"

#include <forklift/data_loader.hpp>

namespace bench {
namespace {

constexpr std::size_t kBatches = 100'000;  // an epoch

/// Microseconds a batch, one entry an epoch.
std::vector<double> epochs(std::size_t num_workers, double seconds) {
  forklift::DataLoader loader(
      Numbers(kBatches), forklift_options({.num_samples = kBatches, .num_workers = num_workers}));
  std::vector<double> out;
  const std::int64_t end = now_ns() + static_cast<std::int64_t>(seconds * 1e9);
  while (out.size() < 3 || now_ns() < end) {
    const std::int64_t start = now_ns();
    for (const forklift::Tensor& batch : loader) {
      keep(batch.data<const std::int64_t>()[0]);
    }
    out.push_back(static_cast<double>(now_ns() - start) / 1e3 / static_cast<double>(kBatches));
  }
  out.erase(out.begin());  // started the workers
  return out;
}

}  // namespace

Verdict report_null_batches(double seconds) {
  fmt::print("null batches, window 2 a worker: us a batch over epochs of {}\n", kBatches);
  fmt::print("{:>7} {:>9} {:>9} {:>9}\n", "workers", "median", "min", "max");
  for (const std::size_t num_workers : {0UL, 1UL, 2UL}) {
    const Spread spread = spread_of(epochs(num_workers, seconds));
    fmt::print(
        "{:>7} {:>9.3f} {:>9.3f} {:>9.3f}\n", num_workers, spread.median, spread.min, spread.max);
  }
  return Verdict::kKept;
}

}  // namespace bench
