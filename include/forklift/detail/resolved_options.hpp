// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include <forklift/any_sampler.hpp>
#include <forklift/batch_sampler.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/generator.hpp>
#include <forklift/options.hpp>
#include <forklift/sampler.hpp>
#include <forklift/worker_kind.hpp>

namespace forklift::detail {

/// The least bytes of a ring that each slot needs.
inline constexpr std::uint64_t kLeastSlotBytes = std::uint64_t{64} << 10U;
/// A request names its worker in 8 bits.
inline constexpr std::uint64_t kMostWorkers = 256;

/// The options after the check: no value is out of range, none is left to be decided.
struct ResolvedOptions {
  std::size_t num_workers = 0;
  std::size_t prefetch_factor = 0;  ///< 0 with 0 workers
  bool is_iterable = false;
  bool is_single = false;                 ///< no batches: one sample a time
  std::optional<std::size_t> batch_size;  ///< empty with a batch_sampler and without batches
  bool drop_last = false;
  bool persistent_workers = false;
  bool in_order = true;
  WorkerKind worker_kind = WorkerKind::process;
  std::optional<std::chrono::nanoseconds> timeout;
  std::optional<std::uint64_t> max_ring_bytes;
  std::size_t rank = 0;
  std::size_t world = 1;
  std::optional<Generator> generator;
  std::function<void(std::size_t)> worker_init_fn;
  std::function<void(std::string_view)> on_warning;
  AnySampler sampler;       ///< empty with a batch_sampler and for an iterable dataset
  AnyBatchSampler batches;  ///< empty for an iterable dataset; without batches, lists of one index

  /// Batches asked for and not yet taken, at most.
  [[nodiscard]] std::size_t window() const noexcept {
    return num_workers == 0 ? 1 : num_workers * prefetch_factor;
  }
};

/// What the check has to know of a loader's types.
struct LoaderTraits {
  SizeSource size;  ///< of a map-style dataset
  bool is_iterable = false;
  /// Why there can be no batches, as the beginning of a sentence; empty when there can.
  std::string_view single_because = {};
  /// Why workers cannot be threads, as the end of a sentence; empty when they can.
  std::string_view no_threads_because = {};
};

/// Checks in PyTorch's order; the first failure is thrown. Errors: InvalidOptions.
[[nodiscard]] ResolvedOptions resolve(const DataLoaderOptions& options, LoaderTraits traits);

}  // namespace forklift::detail
