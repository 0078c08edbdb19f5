// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ipc/error_record.hpp"
#include "ipc/ring.hpp"

#include <forklift/detail/fetcher.hpp>

namespace forklift::ipc {

/// Fills slots in the process that reads the samples: a worker, or with 0 workers the loading
/// thread.
///
/// Memory is asked for in three steps, so that nothing is killed for want of it: the slot's budget
/// (SlotCursor), the memory that the machine has left when a slot grows past what any batch in it
/// used before (here), then the pages at once. Owner: private to one process. Thread: one at a
/// time.
class SlotWriter {
 public:
  explicit SlotWriter(Ring& ring) : ring_(ring), touched_(ring.plan().num_slots, 0) {}

  /// Serves the request that stands in the slot's header. The result stands in the header
  /// afterwards. `stream` is the pass over an iterable dataset. Errors: whatever the fetcher
  /// throws; then only fail() is left to do.
  void fill(std::uint32_t slot, detail::Fetcher& fetcher, detail::SampleStream* stream = nullptr);
  /// Puts the state of `stream` beside what stands in the slot, if it has one and there is room.
  void attach_state(std::uint32_t slot, detail::SampleStream& stream);
  /// Says in the place of the batch that the stream has no more.
  void exhaust(std::uint32_t slot) noexcept;
  /// Puts an error in the place of the batch. Takes the position of the sample in progress from the
  /// header.
  void fail(std::uint32_t slot, ErrorRecord record) noexcept;

 private:
  struct Growth {
    SlotWriter* writer;
    std::uint32_t slot;
  };
  static void ensure(void* growth, std::uint64_t payload_end);
  void grow(std::uint32_t slot, std::uint64_t payload_end);

  Ring& ring_;
  std::vector<std::uint64_t>
      touched_;  // payload bytes of each slot whose pages this process has mapped
};

}  // namespace forklift::ipc
