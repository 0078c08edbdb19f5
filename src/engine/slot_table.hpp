// SPDX-License-Identifier: MIT
#pragma once

// Who has which slot, in the parent's private memory. The slots themselves are in ipc::Ring.
//
//   free -> requested      take_free        the pass that asks for a batch
//   requested -> lent      lend             the batch is in the user's hands, its elements in the
//   ring requested -> free      give_back        nothing in the slot is needed: an error, an
//   abandoned or copied batch lent -> free           give_back        the last tensor of the batch
//   was dropped, on any thread
//
// Between requested and lent a worker fills the slot; the pass knows which one (see InFlight). At
// most kMostLent slots are lent, so that a user who keeps batches never stops the ring: further
// batches are copied out.

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "ipc/ring.hpp"

namespace forklift::engine {

/// Slots beyond the window: batches that the user may hold without a copy.
inline constexpr std::uint32_t kMostLent = 2;

/// Thread: any.
class SlotTable {
 public:
  explicit SlotTable(ipc::Ring& ring);

  /// A free slot: by preference the one that `worker` filled last, which is warm in its cache and
  /// its page tables, else one that nobody filled yet. Requires that one is free: a pass never asks
  /// for more than its window.
  [[nodiscard]] std::uint32_t take_free(std::uint32_t worker);
  /// Lends the slot with a batch of `bytes` payload bytes; false when kMostLent are lent already.
  /// Notes the size in either case: pages far above recent batches go back to the system with their
  /// slot.
  [[nodiscard]] bool lend(std::uint32_t slot, std::uint64_t bytes);
  /// Makes the slot free.
  void give_back(std::uint32_t slot);

  [[nodiscard]] std::uint32_t num_free() const;
  [[nodiscard]] std::uint32_t num_lent() const;
  /// Only in a new child, where no other thread is and the lock cannot be taken.
  [[nodiscard]] std::uint32_t num_lent_unlocked() const noexcept { return lent_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  enum class State : std::uint8_t { kFree, kRequested, kLent };
  struct Slot {
    State state = State::kFree;
    std::uint32_t last_worker = kNone;
    std::uint32_t next_free = kNone;  // in the list that the slot is in
    std::uint64_t populated = 0;      // the most payload bytes since pages were given back
  };

  [[nodiscard]] std::uint32_t& list_for(std::uint32_t worker);
  void push(std::uint32_t& list, std::uint32_t slot) noexcept;
  [[nodiscard]] std::uint32_t pop(std::uint32_t& list) noexcept;
  void note_use(Slot& slot, std::uint64_t bytes);
  void trim(std::uint32_t slot);

  ipc::Ring& ring_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  // Lists of free slots, by the first one; the one that was freed last comes first.
  std::vector<std::uint32_t> free_of_;  // by the worker that filled the slot last
  std::uint32_t fresh_ = kNone;         // never filled
  std::uint32_t num_free_ = 0;
  std::uint32_t lent_ = 0;
  std::uint64_t recent_high_ = 0;
  std::uint64_t older_high_ = 0;
  std::uint32_t uses_ = 0;
};

/// A slot that goes back to the table unless it is released: however its scope is left.
class HeldSlot {
 public:
  HeldSlot(SlotTable& table, std::uint32_t slot) : table_(table), slot_(slot) {}
  HeldSlot(const HeldSlot&) = delete;
  HeldSlot& operator=(const HeldSlot&) = delete;
  ~HeldSlot() { give_back(); }

  [[nodiscard]] std::uint32_t slot() const noexcept { return slot_; }
  [[nodiscard]] std::uint32_t release() noexcept {
    held_ = false;
    return slot_;
  }
  void give_back() {
    if (std::exchange(held_, false)) {
      table_.give_back(slot_);
    }
  }

 private:
  SlotTable& table_;
  std::uint32_t slot_;
  bool held_ = true;
};

}  // namespace forklift::engine
