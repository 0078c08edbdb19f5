// SPDX-License-Identifier: MIT
#include "engine/slot_table.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace forklift::engine {
namespace {

// Batches over which the high-water mark is taken, and the surplus below which giving back is not
// worth its system call.
constexpr std::uint32_t kUsesRemembered = 64;
constexpr std::uint64_t kSurplusKept = std::uint64_t{8} << 20U;

}  // namespace

SlotTable::SlotTable(ipc::Ring& ring) : ring_(ring), slots_(ring.plan().num_slots) {
  for (std::uint32_t slot = ring.plan().num_slots; slot > 0; --slot) {
    push(fresh_, slot - 1);  // slot 0 is taken first
  }
  num_free_ = ring.plan().num_slots;
}

std::uint32_t SlotTable::take_free(std::uint32_t worker) {
  const std::lock_guard lock(mutex_);
  if (worker >= free_of_.size()) {
    free_of_.resize(worker + std::size_t{1}, kNone);
  }
  const std::uint32_t slot = pop(list_for(worker));
  --num_free_;
  slots_[slot].state = State::kRequested;
  slots_[slot].last_worker = worker;
  return slot;
}

// The list to take from for `worker`. Rather a fresh slot than another worker's: what one has in
// its core's cache the other would fetch from there, now and whenever the two meet again.
std::uint32_t& SlotTable::list_for(std::uint32_t worker) {
  if (free_of_[worker] != kNone) {
    return free_of_[worker];
  }
  if (fresh_ != kNone) {
    return fresh_;
  }
  return *std::ranges::find_if(free_of_, [](std::uint32_t first) { return first != kNone; });
}

void SlotTable::push(std::uint32_t& list, std::uint32_t slot) noexcept {
  slots_[slot].next_free = list;
  list = slot;
}

std::uint32_t SlotTable::pop(std::uint32_t& list) noexcept {
  const std::uint32_t slot = list;
  list = slots_[slot].next_free;
  return slot;
}

bool SlotTable::lend(std::uint32_t slot, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  note_use(slots_[slot], bytes);
  if (lent_ == kMostLent) {
    return false;
  }
  ++lent_;
  slots_[slot].state = State::kLent;
  return true;
}

void SlotTable::give_back(std::uint32_t slot) {
  const std::lock_guard lock(mutex_);
  if (slots_[slot].state == State::kLent) {
    --lent_;
  }
  slots_[slot].state = State::kFree;
  trim(slot);
  push(free_of_[slots_[slot].last_worker], slot);
  ++num_free_;
}

void SlotTable::note_use(Slot& slot, std::uint64_t bytes) {
  slot.populated = std::max(slot.populated, bytes);
  recent_high_ = std::max(recent_high_, bytes);
  if (++uses_ == kUsesRemembered) {
    older_high_ = recent_high_;
    recent_high_ = bytes;
    uses_ = 0;
  }
}

void SlotTable::trim(std::uint32_t slot) {
  const std::uint64_t needed = std::max(recent_high_, older_high_);
  if (slots_[slot].populated / 2 <= needed || slots_[slot].populated - needed <= kSurplusKept) {
    return;
  }
  ring_.give_back(slot, needed, slots_[slot].populated);
  ring_.header(slot).granted_bytes = needed;  // the slot is free: no worker looks at its header
  slots_[slot].populated = needed;
}

std::uint32_t SlotTable::num_free() const {
  const std::lock_guard lock(mutex_);
  return num_free_;
}

std::uint32_t SlotTable::num_lent() const {
  const std::lock_guard lock(mutex_);
  return lent_;
}

}  // namespace forklift::engine
