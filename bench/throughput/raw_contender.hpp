// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "throughput/contender.hpp"

namespace bench {

/// What the rival `raw` needs to know of a workload.
struct RawWorkload {
  std::size_t value_bytes_per_sample = 0;
  /// Makes samples first, first + 1, ... one after the other and writes their values and labels,
  /// batch after batch.
  std::function<void(std::byte* values, std::span<std::int64_t> labels, std::size_t first)> fill;
  /// Sum over the values of `rows` samples.
  std::function<double(const std::byte* values, std::size_t rows)> sum;
};

/// The sample function in bare forked loops that write to a warm shared mapping: worker w makes
/// batches w, w + n, ... into prefetch_factor places of its own, in turn, and tells nobody. With 0
/// workers the same in this process. An epoch is over when all loops are done; then one element of
/// each place is read.
[[nodiscard]] Contender make_raw(RawWorkload workload);

}  // namespace bench
