// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include <forklift/detail/batch_reader.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/library_hooks.hpp>
#include <forklift/detail/loader_snapshot.hpp>
#include <forklift/detail/resolved_options.hpp>

/// The erased engine behind DataLoader: everything with processes, threads and shared memory is on
/// the other side.
namespace forklift::detail {

/// What an engine is made from. Nothing is forked, drawn or allocated before the first begin().
struct EnginePlan {
  std::shared_ptr<Fetcher> fetcher;
  ResolvedOptions options;
  LibraryHooks hooks;
  /// Number of samples of a map-style dataset now; null for an iterable one.
  std::function<std::uint64_t()> dataset_size = {};
};

/// What Pass::next throws for an exception of the sampler, of any type. Whoever drives the pass
/// rethrows the cause, and does not take it for an error of its own.
struct SamplerError {
  std::exception_ptr cause;
};

/// One pass over the data. Outlives its loader if need be; with workers that are not persistent it
/// owns them.
///
/// Thread: one at a time; a second one at the same time gets a StateError.
class Pass {
 public:
  Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  virtual ~Pass() = default;

  /// Takes the next batch, waiting for it if need be. False at the end, again and again.
  /// Errors: WorkerError and ResourceError belong to one batch, the next call goes on behind it;
  /// TimeoutError: the next call waits again; WorkerDied, SystemError, SamplerError (after all
  /// batches asked for before it): the pass is over.
  [[nodiscard]] virtual bool next(RawBatch& batch) = 0;
};

class EngineImpl;

/// One loader's engine: its ring, its pool if persistent, its epoch count and its warnings.
class Engine {
 public:
  explicit Engine(EnginePlan plan);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  /// Starts a pass: draws the base seed; with workers forks them, unless they are kept, and asks
  /// for the whole window. Errors: ResourceError, SystemError when the ring or the workers cannot
  /// be made; nothing is left behind then.
  [[nodiscard]] std::shared_ptr<Pass> begin();
  /// Names the epoch of the next pass; later ones count on from it. Reaches the sampler too.
  void set_epoch(std::size_t epoch);
  /// The user was told that an iterable dataset has `length` samples: later passes warn if there
  /// are more.
  void tell_length(std::size_t length) const;
  /// Where the loader stands: in the most recent pass, or between two.
  [[nodiscard]] LoaderSnapshot snapshot() const;
  /// The next begin() goes on from `snapshot`. Errors: StateError, and nothing is changed, when the
  /// snapshot is of another kind of loader.
  void restore(LoaderSnapshot snapshot);
  [[nodiscard]] const ResolvedOptions& options() const noexcept;

 private:
  std::unique_ptr<EngineImpl> impl_;
};

}  // namespace forklift::detail
