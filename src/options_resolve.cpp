// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <forklift/detail/resolved_options.hpp>
#include <forklift/error.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/sampler.hpp>

namespace forklift::detail {
namespace {

// Slots that a ring may have: far beyond any use, and its bookkeeping stays small.
constexpr std::uint64_t kMostBatchesAhead = std::uint64_t{1} << 16U;
// Some 31 years; more does not fit into the clock of the waits.
constexpr double kLongestTimeout = 1e9;

std::size_t check_num_workers(const Count& count) {
  if (count.is_negative()) {
    throw InvalidOptions(
        fmt::format("num_workers option should be non-negative; use num_workers=0 to disable "
                    "multiprocessing, but got num_workers={}",
                    count.text()));
  }
  if (count.value() > kMostWorkers) {
    throw InvalidOptions(
        fmt::format("num_workers option should be at most {}, but got num_workers={}",
                    kMostWorkers,
                    count.text()));
  }
  return static_cast<std::size_t>(count.value());
}

std::optional<std::chrono::nanoseconds> check_timeout(const Timeout& timeout,
                                                      std::size_t num_workers) {
  const double seconds = timeout.seconds();
  if (!(seconds >= 0)) {  // true for NaN
    throw InvalidOptions(
        fmt::format("timeout option should be non-negative, but got timeout={}", seconds));
  }
  if (seconds > kLongestTimeout) {
    throw InvalidOptions(fmt::format(
        "timeout option should be at most {} seconds (0 waits for ever), but got timeout={}",
        kLongestTimeout,
        seconds));
  }
  if (seconds == 0) {
    return std::nullopt;
  }
  if (num_workers == 0) {
    throw InvalidOptions(
        fmt::format("timeout option needs num_workers > 0: loading in the calling thread requires "
                    "timeout == 0, but got timeout={}",
                    seconds));
  }
  // A positive timeout below the resolution of the clock must not turn into "none".
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::ceil(seconds * 1e9)));
}

std::size_t check_prefetch_factor(const std::optional<Count>& count, std::size_t num_workers) {
  if (num_workers == 0) {
    if (count.has_value()) {
      throw InvalidOptions(
          fmt::format("prefetch_factor option could only be specified in multiprocessing; let "
                      "num_workers > 0 to enable it, but got prefetch_factor={} with num_workers=0",
                      count->text()));
    }
    return 0;
  }
  const Count factor = count.value_or(2);
  if (factor.is_negative()) {
    throw InvalidOptions(
        fmt::format("prefetch_factor option should be non-negative, but got prefetch_factor={}",
                    factor.text()));
  }
  if (factor.is_zero()) {
    throw InvalidOptions("prefetch_factor must be greater than 0, but got prefetch_factor=0");
  }
  if (factor.value() > kMostBatchesAhead / num_workers) {
    throw InvalidOptions(
        fmt::format("num_workers * prefetch_factor should be at most {} batches, but got "
                    "num_workers={} and prefetch_factor={}",
                    kMostBatchesAhead,
                    num_workers,
                    factor.text()));
  }
  return static_cast<std::size_t>(factor.value());
}

void check_iterable(const DataLoaderOptions& options) {
  const char* unwanted = options.shuffle         ? "shuffle"
                         : options.sampler       ? "sampler"
                         : options.batch_sampler ? "batch_sampler"
                                                 : nullptr;
  if (unwanted != nullptr) {
    throw InvalidOptions(
        fmt::format("DataLoader with IterableDataset: expected unspecified {0} option, but got "
                    "{0}={1}: the dataset's iterate() alone decides the order",
                    unwanted,
                    options.shuffle ? "true" : "a sampler"));
  }
}

void check_samplers(const DataLoaderOptions& options) {
  if (options.sampler && options.shuffle) {
    throw InvalidOptions(
        "sampler option is mutually exclusive with shuffle, but got both (shuffle=true)");
  }
  const bool default_batch_size = options.batch_size.has_value() && *options.batch_size == Count(1);
  if (options.batch_sampler &&
      (!default_batch_size || options.shuffle || options.sampler || options.drop_last)) {
    throw InvalidOptions(
        fmt::format("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, "
                    "and drop_last, but got batch_size={}, shuffle={}, a sampler={}, drop_last={}",
                    options.batch_size.has_value() ? options.batch_size->text() : "nullopt",
                    options.shuffle,
                    static_cast<bool>(options.sampler),
                    options.drop_last));
  }
  if (!options.batch_size.has_value() && options.drop_last) {
    throw InvalidOptions(
        "batch_size=nullopt option disables auto-batching and is mutually exclusive with "
        "drop_last, but got drop_last=true");
  }
}

AnySampler make_sampler(const DataLoaderOptions& options, SizeSource size) {
  if (options.sampler) {
    return options.sampler;
  }
  if (options.shuffle) {
    return RandomSampler(std::move(size), {.generator = options.generator});
  }
  return SequentialSampler(std::move(size));
}

WorkerKind check_worker_kind(const DataLoaderOptions& options, const LoaderTraits& traits) {
  const WorkerKind kind = options.worker_kind;
  if (kind != WorkerKind::process && kind != WorkerKind::thread) {
    throw InvalidOptions(
        fmt::format("worker_kind option should be WorkerKind::process or WorkerKind::thread, but "
                    "got {}",
                    static_cast<int>(kind)));
  }
  if (kind == WorkerKind::thread && !traits.no_threads_because.empty()) {
    throw InvalidOptions(
        fmt::format("worker_kind option should be process for this loader, but got thread: {}",
                    traits.no_threads_because));
  }
  return kind;
}

void check_rank(const DataLoaderOptions& options) {
  if (options.world.is_negative() || options.world.is_zero()) {
    throw InvalidOptions(fmt::format(
        "world option should be a positive integer value, but got world={}", options.world.text()));
  }
  if (options.rank.is_negative() || options.rank.value() >= options.world.value()) {
    throw InvalidOptions(
        fmt::format("Invalid rank {}, rank option should be in the interval [0, {}] (world={})",
                    options.rank.text(),
                    options.world.value() - 1,
                    options.world.text()));
  }
}

std::optional<std::uint64_t> check_ring_bytes(const std::optional<Count>& count,
                                              std::size_t num_slots) {
  if (!count.has_value()) {
    return std::nullopt;
  }
  const std::uint64_t least = kLeastSlotBytes * num_slots;
  if (count->is_negative() || count->value() < least) {
    throw InvalidOptions(
        fmt::format("max_ring_bytes option should be at least {} ({} slots of {} bytes each), but "
                    "got max_ring_bytes={}; raise it or lower num_workers or prefetch_factor",
                    least,
                    num_slots,
                    kLeastSlotBytes,
                    count->text()));
  }
  return count->value();
}

void decide_batches(const DataLoaderOptions& options, LoaderTraits traits, ResolvedOptions& out) {
  if (options.batch_sampler) {
    out.batches = options.batch_sampler;
  } else {
    out.is_single = !options.batch_size.has_value();
    out.drop_last = options.drop_last;
    if (!traits.is_iterable) {
      out.sampler = make_sampler(options, std::move(traits.size));
    }
    const AnySampler sampler =
        traits.is_iterable ? SequentialSampler(std::size_t{0}) : out.sampler;  // checked alike
    const BatchSampler batches(sampler, options.batch_size.value_or(1), options.drop_last);
    if (!traits.is_iterable) {
      out.batches = batches;
    }
    if (!out.is_single) {
      out.batch_size = batches.batch_size();
    }
  }
  if (!out.is_single && !traits.single_because.empty()) {
    throw InvalidOptions(fmt::format(
        "{}, which needs batch_size=nullopt, but got {}",
        traits.single_because,
        options.batch_sampler ? "a batch_sampler" : "batch_size=" + options.batch_size->text()));
  }
}

}  // namespace

ResolvedOptions resolve(const DataLoaderOptions& options, LoaderTraits traits) {
  ResolvedOptions out;
  out.num_workers = check_num_workers(options.num_workers);
  out.timeout = check_timeout(options.timeout, out.num_workers);
  out.prefetch_factor = check_prefetch_factor(options.prefetch_factor, out.num_workers);
  if (options.persistent_workers && out.num_workers == 0) {
    throw InvalidOptions("persistent_workers option needs num_workers > 0, but got num_workers=0");
  }
  out.persistent_workers = options.persistent_workers;
  out.is_iterable = traits.is_iterable;
  if (traits.is_iterable) {
    check_iterable(options);
  }
  check_samplers(options);
  out.worker_kind = check_worker_kind(options, traits);
  decide_batches(options, std::move(traits), out);
  out.in_order = options.in_order;
  out.max_ring_bytes = check_ring_bytes(options.max_ring_bytes, out.window() + 2);
  check_rank(options);
  out.rank = static_cast<std::size_t>(options.rank.value());
  out.world = static_cast<std::size_t>(options.world.value());
  out.generator = options.generator;
  out.worker_init_fn = options.worker_init_fn;
  out.on_warning = options.on_warning;
  return out;
}

}  // namespace forklift::detail
