// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <forklift/detail/slot_cursor.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// The sample position that stands for "no sample in progress".
inline constexpr std::uint64_t kNoSample = UINT64_MAX;

/// One pass over an iterable dataset in one process, with the user's type erased. Destroyed before
/// the dataset. Thread: one at a time.
class SampleStream {
 public:
  SampleStream() = default;
  SampleStream(const SampleStream&) = delete;
  SampleStream& operator=(const SampleStream&) = delete;
  virtual ~SampleStream() = default;

  /// Where it stands, if it can say so; restore() of a new one goes on from there.
  [[nodiscard]] virtual std::optional<std::string> state() = 0;
  virtual void restore(const std::string& state) = 0;
};

/// Thrown by a fetcher that saw FillRequest::stop.
struct Stopped {};

/// One batch to be filled.
struct FillRequest {
  std::span<const std::uint64_t> indices;  ///< empty for an iterable dataset
  std::uint64_t stream_rows = 0;           ///< samples to take from `stream`, at most
  SampleStream* stream = nullptr;          ///< of an iterable dataset
  bool drop_last = false;  ///< an iterable dataset ends before a batch that would not be full
  bool is_single = false;  ///< one sample, delivered without a leading dimension
  std::uint64_t seed = 0;  ///< of SampleRng
  std::uint64_t epoch = 0;
  std::uint64_t first_ordinal = 0;  ///< of the first sample within the epoch
  bool unique_indices = false;      ///< no index comes twice in an epoch
  /// Position in the batch of the sample in progress, kNoSample when none is. Stored before each
  /// get, so that an error or a death names its sample.
  std::atomic<std::uint64_t>* in_progress = nullptr;
  /// Set when the result is no longer wanted; looked at between samples.
  const std::atomic<std::uint32_t>* stop = nullptr;

  /// Before a sample is read. Errors: Stopped.
  void begin_sample(std::size_t position) const {
    if (stop->load(std::memory_order_relaxed) != 0) {
      throw Stopped();
    }
    in_progress->store(position, std::memory_order_relaxed);
  }
  /// Before a sample that was read is collated; a bulk getter may have given more than were asked
  /// for.
  void collates_sample(std::size_t position) const {
    const bool was_asked_for = stream != nullptr || position < indices.size();
    in_progress->store(was_asked_for ? position : kNoSample, std::memory_order_relaxed);
  }
  void end_samples() const { in_progress->store(kNoSample, std::memory_order_relaxed); }
};

/// The one line between the user's types and the engine: a dataset and a collate_fn that fill
/// slots.
///
/// Owner:  the loader; a worker process has the copy that fork gave it, a worker thread one that
/// shares the dataset. Thread: one at a time.
/// Errors: whatever the user's code throws; ResourceError when a batch does not fit; Stopped.
class Fetcher {
 public:
  Fetcher() = default;
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;
  virtual ~Fetcher() = default;

  /// Calls the dataset's open(), if it has one.
  virtual void open(const WorkerInfo& info) = 0;
  /// Starts a pass over an iterable dataset; null for a map-style one.
  [[nodiscard]] virtual std::unique_ptr<SampleStream> start(const WorkerInfo& info) = 0;
  /// Whether several passes, each started for itself, can be read by turns in one process.
  [[nodiscard]] virtual bool has_separate_streams() const noexcept { return true; }
  /// Reads, transforms and collates the samples of one batch. Returns their number; empty when an
  /// iterable dataset has no more.
  virtual std::optional<std::size_t> fill(const FillRequest& request, SlotCursor& out) = 0;
  /// In a worker, at its normal end: destroys the dataset if it has open(), since what open() made
  /// belongs to this process.
  virtual void close() noexcept = 0;
  /// Another fetcher of the same dataset, for a worker thread, with a collate_fn of its own; its
  /// open() and close() do nothing. Null where a loader's types do not allow it, see
  /// LoaderTraits::no_threads_because.
  [[nodiscard]] virtual std::unique_ptr<Fetcher> share() const = 0;
};

}  // namespace forklift::detail
