// SPDX-License-Identifier: MIT
#include "engine/slot_table.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>

namespace forklift::engine {
namespace {

// Batches over which the high-water mark is taken, and the surplus below which giving back is not
// worth its system call.
constexpr std::uint32_t kUsesRemembered = 64;
constexpr std::uint64_t kSurplusKept = std::uint64_t{8} << 20U;

}  // namespace

SlotTable::SlotTable(ipc::Ring& ring) : ring_(ring), slots_(ring.plan().num_slots) {
  free_.reserve(slots_.size());
  for (std::uint32_t slot = ring.plan().num_slots; slot > 0; --slot) {
    free_.push_back(slot - 1);  // slot 0 is taken first
  }
}

std::vector<std::uint32_t>::reverse_iterator SlotTable::find_free_of(std::uint32_t worker) {
  return std::find_if(free_.rbegin(), free_.rend(), [&](std::uint32_t slot) {
    return slots_[slot].last_worker == worker;
  });
}

std::uint32_t SlotTable::take_free(std::uint32_t worker) {
  const std::lock_guard lock(mutex_);
  // From the back: the slot that was freed last is the warmest. Few slots, and a hit within the
  // first two as a rule. Rather a fresh slot than another worker's: what one has in its core's
  // cache the other would fetch from there, now and whenever the two meet again.
  auto found = find_free_of(worker);
  if (found == free_.rend()) {
    found = find_free_of(kNobody);
  }
  if (found == free_.rend()) {
    found = free_.rbegin();
  }
  const std::uint32_t slot = *found;
  free_.erase(std::next(found).base());
  slots_[slot].state = State::kRequested;
  slots_[slot].last_worker = worker;
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
  free_.push_back(slot);
}

void SlotTable::note_use(Slot& slot, std::uint64_t bytes) {
  slot.populated = std::max(slot.populated, std::max<std::uint64_t>(bytes, 1));
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
  return static_cast<std::uint32_t>(free_.size());
}

std::uint32_t SlotTable::num_lent() const {
  const std::lock_guard lock(mutex_);
  return lent_;
}

}  // namespace forklift::engine
