// SPDX-License-Identifier: MIT
#include "ipc/completion_ring.hpp"

#include <memory>

namespace forklift::ipc {

std::size_t CompletionRing::bytes(std::uint32_t capacity) noexcept {
  const std::size_t used =
      sizeof(CompletionRingHeader) + std::size_t{capacity} * sizeof(CompletionCell);
  return (used + kCacheLine - 1) / kCacheLine * kCacheLine;
}

void CompletionRing::format(std::byte* memory, std::uint32_t capacity) noexcept {
  auto* header = std::construct_at(shared_at<CompletionRingHeader>(memory, 0));
  // Relaxed here: whoever gets a view gets it by fork or by a thread's start, which order all of
  // this.
  header->published.store(0, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < capacity; ++i) {
    const std::size_t offset =
        sizeof(CompletionRingHeader) + std::size_t{i} * sizeof(CompletionCell);
    auto* cell = std::construct_at(shared_at<CompletionCell>(memory, offset));
    cell->ticket.store(0, std::memory_order_relaxed);
    cell->slot.store(0, std::memory_order_relaxed);
    cell->kind.store(0, std::memory_order_relaxed);
  }
}

CompletionRing::CompletionRing(std::byte* memory, std::uint32_t capacity) noexcept
    : header_(shared_at<CompletionRingHeader>(memory, 0)),
      cells_(shared_at<CompletionCell>(memory, sizeof(CompletionRingHeader))),
      capacity_(capacity) {}

CompletionCell& CompletionRing::cell(std::uint64_t position) const noexcept {
  return cells_[position & (capacity_ - 1)];
}

void CompletionRing::publish(const Completion& completion) noexcept {
  // Relaxed: only this worker writes it, or a predecessor that was reaped before the fork.
  CompletionCell& target = cell(header_->published.load(std::memory_order_relaxed));
  // Relaxed: handed over by the release half of the addition below.
  target.ticket.store(completion.ticket, std::memory_order_relaxed);
  target.slot.store(completion.slot, std::memory_order_relaxed);
  target.kind.store(completion.kind, std::memory_order_relaxed);
  // seq_cst read-modify-write: pairs with the acquire load in try_take(), and comes before the
  // exchange in Doorbell::ring(). The old value is known.
  static_cast<void>(header_->published.fetch_add(1));
}

std::optional<Completion> CompletionRing::try_take() noexcept {
  // Acquire: pairs with the addition in publish(): the cell and the slot's contents are seen.
  const std::uint64_t ahead = header_->published.load(std::memory_order_acquire) - cursor_;
  if (ahead == 0 || broken_) {
    return std::nullopt;
  }
  // An index behind the cursor wraps to a huge distance, so this covers both directions.
  if (ahead > capacity_) {
    broken_ = true;
    return std::nullopt;
  }
  const CompletionCell& source = cell(cursor_);
  ++cursor_;
  // Relaxed: ordered by the acquire load above. The worker reuses the cell only for a request that
  // is posted after this, and the post's release half orders these loads before its stores.
  return Completion{.ticket = source.ticket.load(std::memory_order_relaxed),
                    .slot = source.slot.load(std::memory_order_relaxed),
                    .kind = source.kind.load(std::memory_order_relaxed)};
}

}  // namespace forklift::ipc
