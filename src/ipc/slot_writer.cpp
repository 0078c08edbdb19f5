// SPDX-License-Identifier: MIT
#include "ipc/slot_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "ipc/ring_layout.hpp"
#include "sys/memory_budget.hpp"
#include "sys/rounding.hpp"

#include <forklift/detail/slot_cursor.hpp>
#include <forklift/error.hpp>

namespace forklift::ipc {
namespace {

// Below this the faults cost less than the call.
constexpr std::uint64_t kPopulateFrom = std::uint64_t{128} << 10U;
// A slot is granted memory in steps of this, so that batches of slightly growing size do not ask
// every time.
constexpr std::uint64_t kGrantStep = std::uint64_t{2} << 20U;

}  // namespace

void SlotWriter::fill(std::uint32_t slot, detail::Fetcher& fetcher, detail::SampleStream* stream) {
  SlotHeader& header = ring_.header(slot);
  // Relaxed: whoever looks at it from outside does so after this process has ended, or for a
  // message.
  header.in_progress.store(detail::kNoSample, std::memory_order_relaxed);
  header.state_offset = 0;
  const std::uint64_t count = header.rows_asked;
  const std::uint64_t before_meta = meta_offset(count);
  Growth growth{this, slot};
  detail::SlotCursor cursor(
      {.meta = ring_.control_extent(slot).subspan(static_cast<std::size_t>(before_meta)),
       .payload = ring_.payload_extent(slot),
       .budget = ring_.slot_budget() - before_meta,
       .ensure = &SlotWriter::ensure,
       .context = &growth});
  const auto has = [&header](std::uint16_t flag) { return (header.flags & flag) != 0; };
  const auto filled = fetcher.fill({.indices = std::span<const std::uint64_t>(
                                        ring_.indices(slot), static_cast<std::size_t>(count)),
                                    .stream_rows = header.stream_rows,
                                    .stream = stream,
                                    .drop_last = has(request_flag::kDropLast),
                                    .is_single = has(request_flag::kSingle),
                                    .seed = header.seed,
                                    .epoch = header.epoch,
                                    .first_ordinal = header.first_ordinal,
                                    .unique_indices = has(request_flag::kUniqueIndices),
                                    .in_progress = &header.in_progress,
                                    .stop = &ring_.control().stop},
                                   cursor);
  if (!filled.has_value()) {
    exhaust(slot);
    return;
  }
  header.rows_filled = *filled;
  header.meta_bytes = cursor.meta_used();
  header.payload_bytes = cursor.payload_used();
  header.kind = static_cast<std::uint32_t>(SlotKind::kBatch);
  if (stream != nullptr) {
    attach_state(slot, *stream);
  }
}

void SlotWriter::attach_state(std::uint32_t slot, detail::SampleStream& stream) {
  SlotHeader& header = ring_.header(slot);
  header.state_offset = 0;
  header.state_bytes = 0;
  const auto state = stream.state();
  if (!state.has_value()) {
    return;
  }
  const bool is_error = header.kind == static_cast<std::uint32_t>(SlotKind::kError);
  const std::uint64_t offset = is_error ? header.error_offset + header.error_bytes
                                        : meta_offset(header.rows_asked) + header.meta_bytes;
  const std::uint64_t used = offset + (is_error ? 0 : header.payload_bytes);
  const std::uint64_t room = ring_.slot_budget() - std::min(ring_.slot_budget(), used);
  if (state->size() > room) {
    throw ResourceError("the state of its stream",
                        state->size(),
                        room,
                        "max_ring_bytes (each slot of the ring has an equal share of it)");
  }
  std::memcpy(ring_.control_extent(slot).subspan(static_cast<std::size_t>(offset)).data(),
              state->data(),
              state->size());
  header.state_offset = offset;
  header.state_bytes = state->size();
}

void SlotWriter::exhaust(std::uint32_t slot) noexcept {
  SlotHeader& header = ring_.header(slot);
  header.state_offset = 0;
  header.rows_filled = 0;
  header.meta_bytes = 0;
  header.payload_bytes = 0;
  header.kind = static_cast<std::uint32_t>(SlotKind::kExhausted);
}

void SlotWriter::fail(std::uint32_t slot, ErrorRecord record) noexcept {
  SlotHeader& header = ring_.header(slot);
  const std::uint64_t position =
      header.in_progress.load(std::memory_order_relaxed);  // written by this thread
  if (position != detail::kNoSample) {
    record.position = position;
  }
  header.in_progress.store(detail::kNoSample, std::memory_order_relaxed);
  const std::uint64_t offset = meta_offset(header.rows_asked);
  header.error_offset = offset;
  header.error_bytes =
      write_record(record, ring_.control_extent(slot).subspan(static_cast<std::size_t>(offset)));
  header.kind = static_cast<std::uint32_t>(SlotKind::kError);
}

void SlotWriter::ensure(void* growth, std::uint64_t payload_end) {
  const auto* request = static_cast<Growth*>(growth);
  request->writer->grow(request->slot, payload_end);
}

void SlotWriter::grow(std::uint32_t slot, std::uint64_t payload_end) {
  SlotHeader& header = ring_.header(slot);
  if (payload_end > header.granted_bytes) {
    const auto available = sys::available_memory();
    const std::uint64_t needed = payload_end - header.granted_bytes;
    if (needed > available.bytes) {
      throw ResourceError(
          "its slot of the ring, which grows",
          needed,
          available.bytes,
          fmt::format("max_ring_bytes, batch_size or the memory limit ({})", available.limited_by));
    }
    header.granted_bytes = std::min<std::uint64_t>(sys::round_up(payload_end, kGrantStep),
                                                   ring_.payload_extent(slot).size());
  }
  std::uint64_t& touched = touched_[slot];
  if (payload_end > touched) {
    if (payload_end - touched >= kPopulateFrom) {
      ring_.populate(slot, touched, payload_end);
    }
    touched = payload_end;
  }
}

}  // namespace forklift::ipc
