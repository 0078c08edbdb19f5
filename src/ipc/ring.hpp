// SPDX-License-Identifier: MIT
#pragma once

// The memory of one loader's batches: a few slots of large virtual extents, of which only written
// pages exist.
//
// Shared with forked workers it is a sealed, unnamed memory file, mapped before the fork and closed
// at once: nothing to clean up, nothing another user can open. With 0 workers, and with threads, it
// is private memory of the same layout. A slot's share of the budget is fixed when the ring is
// made; a batch larger than that fails in its worker before a page is touched.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ipc/completion_ring.hpp"
#include "ipc/request_queue.hpp"
#include "ipc/ring_layout.hpp"
#include "sys/mapping.hpp"
#include "sys/memory_budget.hpp"

namespace forklift::ipc {

/// What a ring is made for.
struct RingPlan {
  std::uint32_t num_workers = 0;  ///< 0: private memory
  std::uint32_t num_slots = 0;
  std::uint32_t queue_capacity = 1;  ///< places of each worker's queues, a power of two
  bool in_one_process = false;       ///< the workers are threads: private memory
  std::optional<std::uint64_t>
      max_bytes;  ///< empty: half of the memory that is available and not promised to other rings

  [[nodiscard]] bool is_shared() const noexcept { return num_workers > 0 && !in_one_process; }
};

/// Owner of the mapping. Thread: the layout never changes, so that looking at it needs no lock.
class Ring {
 public:
  /// Errors: ResourceError naming the limit (`ulimit -f`, `ulimit -v`, `ulimit -n`, memory) and
  /// max_ring_bytes; SystemError.
  explicit Ring(const RingPlan& plan);

  /// Empties all queues and doorbells for a new set of workers. Requires that no worker is left.
  void format_queues() noexcept;

  [[nodiscard]] RingControl& control() const noexcept;
  [[nodiscard]] WorkerControl& worker_control(std::uint32_t worker) const noexcept;
  [[nodiscard]] RequestQueue request_queue(std::uint32_t worker) const;
  [[nodiscard]] CompletionRing completion_ring(std::uint32_t worker) const;

  [[nodiscard]] SlotHeader& header(std::uint32_t slot) const noexcept;
  /// Room for indices behind the header of `slot`.
  [[nodiscard]] std::uint64_t* indices(std::uint32_t slot) const noexcept;
  [[nodiscard]] std::span<std::byte> control_extent(std::uint32_t slot) const noexcept;
  [[nodiscard]] std::span<std::byte> payload_extent(std::uint32_t slot) const noexcept;

  /// Starts to bring what a small completed batch consists of into this core's cache.
  void prefetch(std::uint32_t slot, std::uint64_t count) const noexcept {
    const std::byte* control = mapping_.data() + payload_offset(slot) - extent_;
    __builtin_prefetch(control + kCacheLine);
    __builtin_prefetch(control + meta_offset(count));
    __builtin_prefetch(control + extent_);
  }

  [[nodiscard]] const RingPlan& plan() const noexcept { return plan_; }
  /// Bytes that one batch may use, header and indices included.
  [[nodiscard]] std::uint64_t slot_budget() const noexcept { return slot_budget_; }

  /// Makes the pages of payload bytes [begin, end) of a slot present in this process.
  void populate(std::uint32_t slot, std::uint64_t begin, std::uint64_t end) noexcept;
  /// Gives the pages of payload bytes [begin, end) of a free slot back to the system.
  void give_back(std::uint32_t slot, std::uint64_t begin, std::uint64_t end) noexcept;
  /// In a worker, before user code runs: a grandchild must not write on after the worker was
  /// reaped.
  void keep_from_children() noexcept { mapping_.dont_fork(); }
  void unmap() noexcept { mapping_.reset(); }

 private:
  [[nodiscard]] std::byte* worker_area(std::uint32_t worker) const noexcept;
  [[nodiscard]] std::uint64_t payload_offset(std::uint32_t slot) const noexcept;

  RingPlan plan_;
  std::uint64_t slot_budget_ = 0;
  std::uint64_t extent_ = 0;       // of control and of payload, each
  std::uint64_t slots_begin_ = 0;  // offset of the first slot
  std::size_t worker_stride_ = 0;
  sys::Promise promise_;
  sys::Mapping mapping_;
};

// The way to a slot, for each batch several times: inline.

inline RingControl& Ring::control() const noexcept {
  return *reinterpret_cast<RingControl*>(mapping_.data());
}

inline std::uint64_t Ring::payload_offset(std::uint32_t slot) const noexcept {
  return slots_begin_ + extent_ * (2 * std::uint64_t{slot} + 1);
}

inline SlotHeader& Ring::header(std::uint32_t slot) const noexcept {
  return *reinterpret_cast<SlotHeader*>(mapping_.data() + payload_offset(slot) - extent_);
}

inline std::uint64_t* Ring::indices(std::uint32_t slot) const noexcept {
  return reinterpret_cast<std::uint64_t*>(mapping_.data() + payload_offset(slot) - extent_ +
                                          sizeof(SlotHeader));
}

inline std::span<std::byte> Ring::control_extent(std::uint32_t slot) const noexcept {
  return {mapping_.data() + payload_offset(slot) - extent_, static_cast<std::size_t>(extent_)};
}

inline std::span<std::byte> Ring::payload_extent(std::uint32_t slot) const noexcept {
  return {mapping_.data() + payload_offset(slot), static_cast<std::size_t>(extent_)};
}

}  // namespace forklift::ipc
