// SPDX-License-Identifier: MIT
#include "ipc/slot_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <forklift/error.hpp>

namespace forklift::ipc {
namespace {

[[noreturn]] void throw_bad_header(std::uint32_t slot, const char* expected, std::uint64_t found) {
  throw DataError(fmt::format("slot {} of the ring", slot),
                  0,
                  expected,
                  fmt::format("{}: a worker wrote over memory that is not its own (run the dataset "
                              "under AddressSanitizer with num_workers = 0)",
                              found));
}

// The only reads of a field that a worker may still be writing, if it is broken: once, into a
// local.
template <class T>
T read_once(const T& field) {
  return static_cast<const volatile T&>(field);
}

}  // namespace

SlotContent SlotReader::read(std::uint32_t slot) {
  const SlotHeader& header = ring_.header(slot);
  const std::uint32_t kind = read_once(header.kind);
  if (kind == static_cast<std::uint32_t>(SlotKind::kError) ||
      kind == static_cast<std::uint32_t>(SlotKind::kExhausted)) {
    return {.kind = static_cast<SlotKind>(kind)};
  }
  if (kind != static_cast<std::uint32_t>(SlotKind::kBatch)) [[unlikely]] {
    throw_bad_header(slot, "a batch, an error or an end", kind);
  }
  const std::uint64_t count = read_once(header.rows_asked);
  const std::uint64_t meta_bytes = read_once(header.meta_bytes);
  const std::uint64_t payload_bytes = read_once(header.payload_bytes);
  const std::uint64_t room = ring_.control_extent(slot).size();
  if (count > room / sizeof(std::uint64_t) || meta_offset(count) > room ||
      meta_bytes > room - meta_offset(count)) [[unlikely]] {
    throw_bad_header(slot, "meta data inside the slot", meta_bytes);
  }
  if (payload_bytes > ring_.payload_extent(slot).size()) [[unlikely]] {
    throw_bad_header(slot, "a payload inside the slot", payload_bytes);
  }
  const auto shared = std::span<const std::byte>(ring_.control_extent(slot))
                          .subspan(static_cast<std::size_t>(meta_offset(count)),
                                   static_cast<std::size_t>(meta_bytes));
  if (meta_.size() < shared.size()) {
    meta_.resize(shared.size());
  }
  std::ranges::copy(shared, meta_.begin());
  return {.kind = SlotKind::kBatch,
          .meta = std::span(meta_).first(shared.size()),
          .payload_bytes = payload_bytes};
}

ErrorRecord SlotReader::read_error(std::uint32_t slot) const {
  const SlotHeader& header = ring_.header(slot);
  const std::uint64_t offset = read_once(header.error_offset);
  const std::uint64_t bytes = read_once(header.error_bytes);
  const auto extent = std::span<const std::byte>(ring_.control_extent(slot));
  if (offset > extent.size() || bytes > extent.size() - offset) {
    throw_bad_header(slot, "an error inside the slot", bytes);
  }
  const auto shared =
      extent.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
  const std::vector<std::byte> copy(shared.begin(), shared.end());
  auto record = read_record(copy);
  if (!record.has_value()) {
    throw_bad_header(slot, "an error record", bytes);
  }
  return *std::move(record);
}

std::optional<std::string> SlotReader::read_state(std::uint32_t slot) const {
  const SlotHeader& header = ring_.header(slot);
  const std::uint64_t offset = read_once(header.state_offset);
  const std::uint64_t bytes = read_once(header.state_bytes);
  if (offset == 0) {
    return std::nullopt;
  }
  const auto extent = std::span<const std::byte>(ring_.control_extent(slot));
  if (offset > extent.size() || bytes > extent.size() - offset) {
    throw_bad_header(slot, "a state inside the slot", bytes);
  }
  const auto* first = reinterpret_cast<const char*>(extent.data() + offset);
  return std::string(first, static_cast<std::size_t>(bytes));
}

std::vector<std::size_t> SlotReader::read_indices(std::uint32_t slot, std::uint64_t count) const {
  const std::uint64_t most =
      (ring_.control_extent(slot).size() - sizeof(SlotHeader)) / sizeof(std::uint64_t);
  const std::uint64_t* first = ring_.indices(slot);
  return {first, first + std::min(count, most)};
}

std::optional<std::uint64_t> SlotReader::read_in_progress(std::uint32_t slot,
                                                          std::uint64_t count) const {
  // Relaxed: the worker is dead, or the answer is only for a message.
  const std::uint64_t position = ring_.header(slot).in_progress.load(std::memory_order_relaxed);
  return position < count ? std::optional(position) : std::nullopt;
}

}  // namespace forklift::ipc
