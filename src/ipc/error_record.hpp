// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>

namespace forklift::ipc {

/// An exception as bytes: what crosses from a worker to the parent in place of a batch.
struct ErrorRecord {
  std::string type;     ///< demangled
  std::string message;  ///< whole, nested exceptions included; cut only where the slot's control
                        ///< extent ends
  /// "worker_init_fn", "open", "iterate" or "restore" where that failed, else empty.
  std::string stage;
  std::optional<std::uint64_t> position;  ///< of the sample in its batch

  bool is_resource_error = false;  ///< a batch that did not fit; the fields below are set
  std::string object;
  std::string knob;
  std::uint64_t needed = 0;
  std::uint64_t available = 0;

  friend bool operator==(const ErrorRecord&, const ErrorRecord&) = default;
};

/// Describes `error`, of any type, also one whose what() is null or throws.
[[nodiscard]] ErrorRecord describe(const std::exception_ptr& error);

/// Writes the record into `room` and returns the bytes used. A message that does not fit is cut and
/// says so.
[[nodiscard]] std::size_t write_record(const ErrorRecord& record,
                                       std::span<std::byte> room) noexcept;
/// Reads a record; empty when the bytes are none, since a broken worker may have left anything.
[[nodiscard]] std::optional<ErrorRecord> read_record(std::span<const std::byte> bytes);

}  // namespace forklift::ipc
