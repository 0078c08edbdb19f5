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

namespace forklift::detail {

/// The least bytes of a ring that each slot needs.
inline constexpr std::uint64_t kLeastSlotBytes = std::uint64_t{64} << 10U;

/// The options after the check: no value is out of range, none is left to be decided.
struct ResolvedOptions {
  std::size_t num_workers = 0;
  std::size_t prefetch_factor = 0;        ///< 0 with 0 workers
  std::optional<std::size_t> batch_size;  ///< empty with a batch_sampler
  bool drop_last = false;
  bool persistent_workers = false;
  bool in_order = true;
  std::optional<std::chrono::nanoseconds> timeout;
  std::optional<std::uint64_t> max_ring_bytes;
  std::optional<Generator> generator;
  std::function<void(std::size_t)> worker_init_fn;
  std::function<void(std::string_view)> on_warning;
  AnySampler sampler;  ///< empty with a batch_sampler
  AnyBatchSampler batches;

  /// Batches asked for and not yet taken, at most.
  [[nodiscard]] std::size_t window() const noexcept {
    return num_workers == 0 ? 1 : num_workers * prefetch_factor;
  }
};

/// Checks in PyTorch's order; the first failure is thrown. `size` asks the dataset for its number
/// of samples. Errors: InvalidOptions.
[[nodiscard]] ResolvedOptions resolve(const DataLoaderOptions& options, SizeSource size);

}  // namespace forklift::detail
