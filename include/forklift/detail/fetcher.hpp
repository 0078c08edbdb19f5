// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <forklift/detail/slot_cursor.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// The sample position that stands for "no sample in progress".
inline constexpr std::uint64_t kNoSample = UINT64_MAX;

/// One batch to be filled.
struct FillRequest {
  std::span<const std::uint64_t> indices;
  std::uint64_t seed = 0;  ///< of SampleRng
  std::uint64_t epoch = 0;
  std::uint64_t first_ordinal = 0;  ///< of the first sample within the epoch
  bool unique_indices = false;      ///< no index comes twice in an epoch
  /// Position in the batch of the sample in progress, kNoSample when none is. Stored before each
  /// get, so that an error or a death names its sample.
  std::atomic<std::uint64_t>* in_progress = nullptr;
  /// Set when the result is no longer wanted; looked at between samples.
  const std::atomic<std::uint32_t>* stop = nullptr;
};

/// Thrown by a fetcher that saw FillRequest::stop.
struct Stopped {};

/// The one line between the user's types and the engine: a dataset and a collate_fn that fill
/// slots.
///
/// Owner:  the loader; every worker has the copy that fork gave it.
/// Thread: one at a time in each process.
/// Errors: whatever the user's code throws; ResourceError when a batch does not fit; Stopped.
class Fetcher {
 public:
  Fetcher() = default;
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;
  virtual ~Fetcher() = default;

  /// Calls the dataset's open(), if it has one.
  virtual void open(const WorkerInfo& info) = 0;
  /// Reads, transforms and collates the samples of one batch.
  virtual void fill(const FillRequest& request, SlotCursor& out) = 0;
  /// Number of samples of the dataset.
  [[nodiscard]] virtual std::size_t size() = 0;
  /// In a worker, at its normal end: destroys the dataset if it has open(), since what open() made
  /// belongs to this process.
  virtual void close() noexcept = 0;
};

}  // namespace forklift::detail
