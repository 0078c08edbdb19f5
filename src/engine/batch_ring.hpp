// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "engine/slot_table.hpp"
#include "ipc/ring.hpp"
#include "sys/pool_registry.hpp"

namespace forklift::engine {

/// A ring together with the table of its slots. Passes and batches share it: it lives as long as
/// the last of them.
///
/// In a child that belongs to another ring it is unmapped, unless a batch of it is in the user's
/// hands and may be read there. Thread: see the parts.
class BatchRing {
 public:
  /// Errors: as ipc::Ring.
  explicit BatchRing(const ipc::RingPlan& plan);

  /// Gives the ring to a pass or crew; false while another one has it.
  [[nodiscard]] bool try_claim() noexcept { return !claimed_.exchange(true); }
  void unclaim() noexcept { claimed_.store(false); }

  [[nodiscard]] ipc::Ring& ring() noexcept { return ring_; }
  [[nodiscard]] SlotTable& slots() noexcept { return slots_; }

 private:
  void drop_in_child() noexcept;

  ipc::Ring ring_;
  SlotTable slots_;
  std::optional<sys::PoolRegistration> registration_;
  std::atomic<bool> claimed_ = false;
};

/// The use of a ring by one pass or one crew. Leases of batches outlive it: they hold the ring, not
/// its use.
class RingClaim {
 public:
  /// Takes `ring` if it is there and idle.
  [[nodiscard]] static std::optional<RingClaim> try_take(const std::shared_ptr<BatchRing>& ring) {
    return ring != nullptr && ring->try_claim() ? std::optional(RingClaim(ring)) : std::nullopt;
  }
  RingClaim(const RingClaim&) = delete;
  RingClaim& operator=(const RingClaim&) = delete;
  RingClaim(RingClaim&&) noexcept = default;
  RingClaim& operator=(RingClaim&& other) noexcept {
    std::swap(ring_, other.ring_);
    return *this;
  }
  ~RingClaim() {
    if (ring_ != nullptr) {
      ring_->unclaim();
    }
  }

  [[nodiscard]] const std::shared_ptr<BatchRing>& shared() const noexcept { return ring_; }
  [[nodiscard]] BatchRing* operator->() const noexcept { return ring_.get(); }

 private:
  explicit RingClaim(std::shared_ptr<BatchRing> ring) noexcept : ring_(std::move(ring)) {}

  std::shared_ptr<BatchRing> ring_;
};

/// Hands the payload of a slot to the user: as a lease on the slot, which goes back when the last
/// owner is dropped, or, when enough slots are lent or there is no payload, as memory of its own,
/// with the slot free at once.
struct LentPayload {
  std::span<std::byte> payload;
  std::shared_ptr<const void> owner;
};
/// Errors: std::bad_alloc; the slot is free then.
[[nodiscard]] LentPayload lend(const std::shared_ptr<BatchRing>& ring,
                               std::uint32_t slot,
                               std::uint64_t payload_bytes);

}  // namespace forklift::engine
