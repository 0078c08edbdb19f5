// SPDX-License-Identifier: MIT
#pragma once

// Everything that lies in the memory of a ring, in one place.
//
//   RingControl | per worker: WorkerControl, request queue, completion ring | slot 0 | slot 1 | ...
//   slot: control extent (SlotHeader, indices, meta data or error) | payload extent (tensor
//   elements)
//
// Fixed-width members and offsets, never pointers: the parent and its workers may map other things
// around it. A change of any struct here changes kLayoutVersion. The parent trusts none of it: it
// copies what a worker wrote, checks the copy against its own tables and uses the copy alone.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ipc/cache_line.hpp"

namespace forklift::ipc {

inline constexpr std::uint16_t kLayoutVersion = 3;

/// What a completed slot holds.
enum class SlotKind : std::uint32_t {
  kBatch = 1,
  kError = 2,
  kExhausted = 3,  ///< an iterable dataset came to its end in this worker
};

/// Bits of SlotHeader::flags.
namespace request_flag {
inline constexpr std::uint16_t kUniqueIndices = 1;  ///< no index comes twice in the epoch
inline constexpr std::uint16_t kSingle = 2;         ///< one sample without a leading dimension
inline constexpr std::uint16_t kStream = 4;         ///< of an iterable dataset
inline constexpr std::uint16_t kDropLast = 8;  ///< a stream ends before a batch that is not full
inline constexpr std::uint16_t kGoesOn = 16;   ///< the streams are those of a state
}  // namespace request_flag

/// Start of a ring.
struct alignas(kCacheLine) RingControl {
  std::uint32_t layout_version;
  std::uint32_t num_workers;
  std::atomic<std::uint32_t> stop;  ///< workers leave, also in mid-batch between two samples
};

/// One worker's doorbell flags, each on a line of its own: one is written by the parent, the other
/// by the worker.
struct WorkerControl {
  alignas(kCacheLine) std::atomic<std::uint32_t> worker_sleeps;
  alignas(kCacheLine) std::atomic<std::uint32_t> parent_sleeps;
};

/// Start of a slot's control extent. The first block is written by the parent, the second by the
/// worker.
struct alignas(kCacheLine) SlotHeader {
  std::uint16_t layout_version;
  std::uint16_t flags;     ///< request_flag
  std::uint32_t pass;      ///< number of the pass; unlike the epoch's it never comes again
  std::uint64_t sequence;  ///< number of the batch in its pass
  std::uint64_t stream;    ///< of an iterable dataset
  std::uint64_t epoch;
  std::uint64_t seed;           ///< of SampleRng
  std::uint64_t first_ordinal;  ///< of the first sample within the epoch
  std::uint64_t rows_asked;     ///< indices behind the header
  std::uint64_t stream_rows;    ///< samples asked of an iterable dataset

  std::atomic<std::uint64_t>
      in_progress;  ///< position of the sample in progress, UINT64_MAX when none is
  std::uint32_t worker;
  std::uint32_t kind;
  std::uint64_t rows_filled;
  std::uint64_t meta_bytes;
  std::uint64_t payload_bytes;
  std::uint64_t error_offset;  ///< in the control extent
  std::uint64_t error_bytes;
  std::uint64_t read_ns;
  std::uint64_t transform_ns;
  std::uint64_t collate_ns;
  std::uint64_t state_offset;  ///< of an iterable dataset's resume state
  std::uint64_t state_bytes;
  std::uint64_t ledger_offset;  ///< of bad-sample records
  std::uint64_t ledger_bytes;
  std::uint64_t granted_bytes;  ///< payload bytes for which memory was found; pages below may exist
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(std::is_standard_layout_v<RingControl> && std::is_standard_layout_v<WorkerControl> &&
              std::is_standard_layout_v<SlotHeader>);
static_assert(sizeof(RingControl) == 64 && sizeof(WorkerControl) == 128 &&
              sizeof(SlotHeader) == 192);
static_assert(offsetof(RingControl, stop) == 8);
static_assert(offsetof(WorkerControl, worker_sleeps) == 0 &&
              offsetof(WorkerControl, parent_sleeps) == 64);
static_assert(offsetof(SlotHeader, pass) == 4 && offsetof(SlotHeader, sequence) == 8 &&
              offsetof(SlotHeader, rows_asked) == 48);
static_assert(offsetof(SlotHeader, in_progress) == 64 && offsetof(SlotHeader, worker) == 72 &&
              offsetof(SlotHeader, kind) == 76);
static_assert(offsetof(SlotHeader, meta_bytes) == 88 && offsetof(SlotHeader, error_offset) == 104 &&
              offsetof(SlotHeader, granted_bytes) == 176);

/// Bytes behind the indices that every request leaves free, so that an error always has a place.
inline constexpr std::uint64_t kErrorRoom = 8192;

/// Bytes of a slot's header and of `count` indices: where meta data begins.
[[nodiscard]] constexpr std::uint64_t meta_offset(std::uint64_t count) noexcept {
  return sizeof(SlotHeader) + count * sizeof(std::uint64_t);
}

}  // namespace forklift::ipc
