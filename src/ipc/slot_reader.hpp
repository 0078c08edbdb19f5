// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ipc/error_record.hpp"
#include "ipc/ring.hpp"
#include "ipc/ring_layout.hpp"

namespace forklift::ipc {

/// What stands in a completed slot, as a checked private copy.
struct SlotContent {
  SlotKind kind = SlotKind::kBatch;
  std::span<const std::byte> meta = {};  ///< private to the reader, valid until its next read
  std::uint64_t payload_bytes = 0;
};

/// Reads completed slots in the parent. Whatever a worker left there, the reader touches no byte
/// outside of the slot and uses no number twice that it did not copy first. Owner: private to one
/// pass. Thread: one at a time.
class SlotReader {
 public:
  explicit SlotReader(const Ring& ring) : ring_(ring) {}

  /// Errors: DataError when the header is none that a worker following the protocol leaves.
  [[nodiscard]] SlotContent read(std::uint32_t slot);
  /// The error in a slot of kind kError. Errors: DataError.
  [[nodiscard]] ErrorRecord read_error(std::uint32_t slot) const;
  /// The state of the stream behind what stands in the slot; empty when there is none. Errors:
  /// DataError.
  [[nodiscard]] std::optional<std::string> read_state(std::uint32_t slot) const;
  /// The indices that were asked for, `count` of them.
  [[nodiscard]] std::vector<std::size_t> read_indices(std::uint32_t slot,
                                                      std::uint64_t count) const;
  /// Position of the sample in progress, if it is one of `count`.
  [[nodiscard]] std::optional<std::uint64_t> read_in_progress(std::uint32_t slot,
                                                              std::uint64_t count) const;

 private:
  const Ring& ring_;
  std::vector<std::byte> meta_;
};

}  // namespace forklift::ipc
