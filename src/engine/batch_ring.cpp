// SPDX-License-Identifier: MIT
#include "engine/batch_ring.hpp"

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sys/current_pid.hpp"

#include <forklift/detail/memory_block.hpp>

namespace forklift::engine {
namespace {

/// The right to read one slot until the last tensor of its batch is gone, on whichever thread that
/// is.
class SlotLease {
 public:
  SlotLease(std::shared_ptr<BatchRing> ring, std::uint32_t slot) noexcept
      : ring_(std::move(ring)),
        slot_(slot),
        owner_(sys::current_pid()) {}
  SlotLease(const SlotLease&) = delete;
  SlotLease& operator=(const SlotLease&) = delete;
  ~SlotLease() {
    // A copy in a forked process must not touch the table: its mutex may be held by a thread that
    // is not there.
    if (sys::current_pid() == owner_) {
      ring_->slots().give_back(slot_);
    }
  }

 private:
  std::shared_ptr<BatchRing> ring_;
  std::uint32_t slot_;
  pid_t owner_;
};

LentPayload copy_out(BatchRing& ring, std::uint32_t slot, std::span<const std::byte> payload) {
  detail::MemoryBlock block;
  try {
    block = detail::allocate_block(payload.size());
  } catch (...) {
    ring.slots().give_back(slot);
    throw;
  }
  std::ranges::copy(payload, block.memory);
  ring.slots().give_back(slot);
  return {.payload = {block.memory, payload.size()}, .owner = std::move(block.owner)};
}

}  // namespace

BatchRing::BatchRing(const ipc::RingPlan& plan) : ring_(plan), slots_(ring_) {
  if (plan.is_shared()) {
    registration_.emplace(
        &ring_, [](void* self) noexcept { static_cast<BatchRing*>(self)->drop_in_child(); }, this);
  }
}

void BatchRing::drop_in_child() noexcept {
  // Without the lock: this process has one thread, and its copy of the mutex may be held by one
  // that is not here. A batch that is being lent at this moment by another thread is not in this
  // process's hands.
  if (slots_.num_lent_unlocked() == 0) {
    ring_.unmap();
  }
  registration_.reset();
}

LentPayload lend(const std::shared_ptr<BatchRing>& ring,
                 std::uint32_t slot,
                 std::uint64_t payload_bytes) {
  const auto payload =
      ring->ring().payload_extent(slot).first(static_cast<std::size_t>(payload_bytes));
  if (payload.empty()) {
    ring->slots().give_back(slot);
    return {};
  }
  if (!ring->slots().lend(slot, payload_bytes)) {
    return copy_out(*ring, slot, payload);
  }
  try {
    return {.payload = payload, .owner = std::make_shared<SlotLease>(ring, slot)};
  } catch (...) {
    ring->slots().give_back(slot);
    throw;
  }
}

}  // namespace forklift::engine
