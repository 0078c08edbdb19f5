// SPDX-License-Identifier: MIT
#include "ipc/completion_ring.hpp"

#include <memory>

namespace forklift::ipc {

std::size_t CompletionRing::bytes(std::uint32_t capacity) noexcept {
  return std::size_t{capacity} * sizeof(CompletionCell);
}

void CompletionRing::format(std::byte* memory, std::uint32_t capacity) noexcept {
  // Relaxed here: whoever gets a view gets it by fork or by a thread's start, which order all of
  // this.
  for (std::uint32_t i = 0; i < capacity; ++i) {
    const std::size_t offset = std::size_t{i} * sizeof(CompletionCell);
    auto* cell = std::construct_at(shared_at<CompletionCell>(memory, offset));
    cell->published.store(0, std::memory_order_relaxed);
    cell->ticket.store(0, std::memory_order_relaxed);
    cell->slot.store(0, std::memory_order_relaxed);
    cell->kind.store(0, std::memory_order_relaxed);
  }
}

CompletionRing::CompletionRing(std::byte* memory,
                               std::uint32_t capacity,
                               std::uint64_t position) noexcept
    : cells_(shared_at<CompletionCell>(memory, 0)),
      capacity_(capacity),
      position_(position) {}

CompletionCell& CompletionRing::cell() const noexcept {
  return cells_[position_ & (capacity_ - 1)];
}

void CompletionRing::publish(const Completion& completion) noexcept {
  CompletionCell& target = cell();
  // Relaxed: handed over by the release half of the exchange below.
  target.ticket.store(completion.ticket, std::memory_order_relaxed);
  target.slot.store(completion.slot, std::memory_order_relaxed);
  target.kind.store(completion.kind, std::memory_order_relaxed);
  // seq_cst read-modify-write: pairs with the acquire load in try_take(), and comes before the
  // exchange in Doorbell::ring(). The old number, that of a lap ago, is of no interest.
  static_cast<void>(target.published.exchange(++position_));
}

std::optional<Completion> CompletionRing::try_take() noexcept {
  const CompletionCell& source = cell();
  // Acquire: pairs with the exchange in publish(): the cell and the slot's contents are seen.
  const std::uint64_t published = source.published.load(std::memory_order_acquire);
  if (broken_ || published != position_ + 1) {
    const std::uint64_t a_lap_ago = position_ < capacity_ ? 0 : position_ + 1 - capacity_;
    broken_ = broken_ || published != a_lap_ago;
    return std::nullopt;
  }
  ++position_;
  // Relaxed: ordered by the acquire load above. The worker reuses the cell only for a request that
  // is posted after this, and the post's release half orders these loads before its stores.
  return Completion{.ticket = source.ticket.load(std::memory_order_relaxed),
                    .slot = source.slot.load(std::memory_order_relaxed),
                    .kind = source.kind.load(std::memory_order_relaxed)};
}

}  // namespace forklift::ipc
