// SPDX-License-Identifier: MIT
#pragma once

// The completions of one worker: one producer (that worker), one consumer (the parent). A ring of
// its own for each worker, because a queue shared by producers blocks all of them when one dies
// between reserving a cell and publishing it.
//
// Who owns what: a cell says itself whether it holds a completion, so that one cache line carries
// each. The worker owns a cell from the parent's taking of what it held a lap ago until it stores
// the new position there; then the parent owns it. Both sides count privately. A successor of a
// dead worker starts where the parent's count stands after it drained the ring: a cell that was
// written and not published is written again. Neither side ever waits: there are at least as many
// cells as requests the worker can hold, and a request is posted again only after its completion
// was taken.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "ipc/cache_line.hpp"

namespace forklift::ipc {

/// One finished request. `kind` is the slot header's kind (batch, error, exhausted).
struct Completion {
  std::uint64_t ticket;
  std::uint32_t slot;
  std::uint32_t kind;
};

/// One completion in shared memory, on a line of its own. Atomics, so that a copy taken while a
/// broken worker writes is wrong at worst, never undefined.
struct alignas(kCacheLine) CompletionCell {
  std::atomic<std::uint64_t> published;  ///< number of the completion it holds, from 1 on; 0: none
  std::atomic<std::uint64_t> ticket;
  std::atomic<std::uint32_t> slot;
  std::atomic<std::uint32_t> kind;
};

static_assert(std::is_trivially_copyable_v<Completion> && sizeof(Completion) == 16);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(CompletionCell) == 64 && offsetof(CompletionCell, published) == 0);
static_assert(offsetof(CompletionCell, ticket) == 8 && offsetof(CompletionCell, slot) == 16 &&
              offsetof(CompletionCell, kind) == 20);

/// View of a completion ring in shared memory, plus the private count of one side.
///
/// Owner:  the memory is the caller's and must outlive the view. `capacity` is a power of two and
/// at
///         least the number of requests that the worker can hold or have finished and not yet
///         taken.
/// Thread: publish() in the worker, try_take() in the parent, each from one thread at a time.
class CompletionRing {
 public:
  /// Bytes of shared memory for `capacity` completions.
  [[nodiscard]] static std::size_t bytes(std::uint32_t capacity) noexcept;

  /// Makes an empty ring in `memory` (aligned to kCacheLine, bytes(capacity) long). Again only
  /// after the worker was reaped, and then with a new view.
  static void format(std::byte* memory, std::uint32_t capacity) noexcept;

  /// `position` is the number of completions that were taken before: 0, or the parent's position()
  /// for the successor of a worker that was reaped and whose ring was drained.
  CompletionRing(std::byte* memory, std::uint32_t capacity, std::uint64_t position = 0) noexcept;

  CompletionRing(CompletionRing&&) noexcept = default;
  CompletionRing& operator=(CompletionRing&&) noexcept = default;
  CompletionRing(const CompletionRing&) = delete;  // Two cursors would take each completion twice.
  CompletionRing& operator=(const CompletionRing&) = delete;
  ~CompletionRing() = default;

  /// Worker: hands over a finished request and everything written before. Never waits. Ring the
  /// parent's doorbell afterwards: this ends with a seq_cst read-modify-write, as Doorbell needs.
  void publish(const Completion& completion) noexcept;

  /// Parent: the next completion as a private copy, or nothing. Ticket, slot and kind are what the
  /// worker wrote; the caller checks them against its own table.
  [[nodiscard]] std::optional<Completion> try_take() noexcept;

  /// Parent: try_take() found a number that no worker following the protocol can write, and will
  /// return nothing more. The worker is to be treated as dead.
  [[nodiscard]] bool broken() const noexcept { return broken_; }
  /// Completions that this side has published or taken.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

 private:
  [[nodiscard]] CompletionCell& cell() const noexcept;

  CompletionCell* cells_;
  std::uint32_t capacity_;
  std::uint64_t position_;
  bool broken_ = false;  // in use by the parent only
};

}  // namespace forklift::ipc
