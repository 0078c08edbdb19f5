// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "latency/megabyte.hpp"
#include "latency/processes.hpp"
#include "latency/sections.hpp"
#include "throughput/forklift_pass.hpp"

#include <forklift/data_loader.hpp>

namespace bench {
namespace {

constexpr std::size_t kRowBytes = 3UL * 224UL * 224UL;
constexpr std::size_t kBatchSize = 64;
constexpr std::size_t kPrefetchFactor = 2;
constexpr std::size_t kTaken = 20;  // batches, so that every slot has been in use
constexpr int kFillMs = 500;        // for the workers to fill the window again
constexpr std::size_t kSlack = 20'000'000;

std::size_t all_processes() {
  std::size_t sum = proportional_set_size(getpid());
  for (const pid_t pid : child_processes()) {
    sum += proportional_set_size(pid);
  }
  return sum;
}

/// In the middle of an epoch, the window full and one batch in the consumer's hands.
std::size_t mid_epoch(std::size_t num_workers) {
  const std::size_t num_samples = kBatchSize * (2 * kTaken + 4 * num_workers * kPrefetchFactor);
  const Megabyte dataset(num_samples, kRowBytes);
  forklift::DataLoader loader(dataset,
                              {.batch_size = kBatchSize,
                               .num_workers = num_workers,
                               .prefetch_factor = kPrefetchFactor,
                               .on_warning = ignore_warning});
  std::size_t taken = 0;
  for (const forklift::Tensor& batch : loader) {
    if (++taken == kTaken && batch.num_bytes() > 0) {
      poll(nullptr, 0, kFillMs);
      return all_processes();
    }
  }
  return 0;
}

}  // namespace

Verdict report_memory() {
  fmt::print(
      "memory: proportional set size of all processes in mid-epoch, MB (limit: in flight + {})\n",
      kSlack / 1'000'000);
  fmt::print(
      "{:>7} {:>10} {:>10} {:>10} {:>10}\n", "workers", "batch", "in flight", "all", "beyond");
  Verdict verdict = Verdict::kKept;
  for (const std::size_t num_workers : {1UL, 2UL, 4UL}) {
    const std::size_t batch_bytes = kBatchSize * kRowBytes;
    const std::size_t in_flight = (num_workers * kPrefetchFactor + 1) * batch_bytes;
    const std::size_t all = mid_epoch(num_workers);
    const double beyond = (static_cast<double>(all) - static_cast<double>(in_flight)) / 1e6;
    fmt::print("{:>7} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f}\n",
               num_workers,
               static_cast<double>(batch_bytes) / 1e6,
               static_cast<double>(in_flight) / 1e6,
               static_cast<double>(all) / 1e6,
               beyond);
    verdict = all > 0 && all < in_flight + kSlack ? verdict : Verdict::kMissed;
  }
  return verdict;
}

}  // namespace bench
