// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/diagnostics.hpp"
#include "engine/progress.hpp"

#include <forklift/detail/engine_handle.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/error.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::engine {

/// What a loader and its passes share; it lives as long as the last of them.
struct LoaderState {
  detail::EnginePlan plan;
  std::shared_ptr<Diagnostics> diagnostics;
  /// What open() was given without workers; the dataset may refer to it.
  WorkerInfo main_info = {};
  /// Samples that an iterable dataset claims to have, once the user has asked for the length.
  std::optional<std::size_t> told_length = std::nullopt;

  /// What a dataset is told that is read in this process.
  [[nodiscard]] WorkerInfo info_without_workers(std::uint64_t seed) const {
    return {.id = 0,
            .num_workers = 1,
            .seed = seed,
            .rank = plan.options.rank,
            .world = plan.options.world};
  }
};

/// What a pass is told when it begins.
struct PassStart {
  std::uint32_t pass = 0;
  std::uint64_t epoch = 0;
  std::uint64_t sample_seed = 0;     ///< base seed of the loader's first pass
  std::uint64_t base_seed = 0;       ///< of this pass, or of the one that started the workers
  detail::RandomSource source = {};  ///< what a sampler without a generator draws from
  /// What was taken of it; not nothing when the pass was begun by another loader.
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
};

/// The same error, naming the batch that it belongs to.
[[nodiscard]] inline ResourceError of_batch(const ResourceError& error, std::uint64_t sequence) {
  return {fmt::format("batch {} ({})", sequence, error.object()),
          error.needed(),
          error.available(),
          error.knob()};
}

/// Refuses a second thread for the length of one call.
class OneAtATime {
 public:
  explicit OneAtATime(std::atomic<bool>& busy) : busy_(busy) {
    // Acquire pairs with the release below: a loader may be handed from thread to thread.
    if (busy_.exchange(true, std::memory_order_acquire)) {
      throw StateError(
          "a loader is used by two threads at the same time: give each thread a loader of its own, "
          "or take turns");
    }
  }
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;
  ~OneAtATime() { busy_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool>& busy_;
};

}  // namespace forklift::engine
