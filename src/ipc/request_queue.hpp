// SPDX-License-Identifier: MIT
#pragma once

// The queue of requests: one producer (the parent), any number of consumers (the workers), in
// memory that all of them share.
//
// Who owns what: the parent owns the places. It alone posts and it alone frees; its tail and its
// table of places in use are private, so nothing that a worker writes can move them. A worker owns
// an entry from its claiming compare-exchange until the parent took the completion or reaped it.
//
// An entry is one 64-bit word (ticket:48, worker:8, state:8) and the slot id beside it. The ticket
// is the position in the queue, so it never repeats (2^48 requests), and the ticket of a place only
// grows: a worker that was stopped for a lap fails its compare-exchange instead of claiming what
// was posted later. Each step of an entry is one atomic instruction, so a consumer that is killed
// between any two instructions leaves the entry posted, or claimed under its own number; there is
// nothing to unlock. `head` is a hint where to start looking. It never passes a posted entry,
// anybody may help it over entries that are past, and nothing is lost when a helper dies. Nobody
// ever waits for anybody.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ipc/cache_line.hpp"

namespace forklift::ipc {

/// What a worker gets: a request's ticket and the slot to fill.
struct Claim {
  std::uint64_t ticket;
  std::uint32_t slot;
};

/// Where one request is. kFree: it has ended, or its place was never posted. kBroken is no state of
/// the protocol: the word does not fit the ticket.
enum class EntryState : std::uint8_t { kFree, kPosted, kClaimed, kWithdrawn, kBroken };

/// Private copy of one entry. `worker` says something only in state kClaimed.
struct EntryView {
  EntryState state;
  std::uint8_t worker;
};

/// Start of a request queue in shared memory; the entries follow.
struct alignas(kCacheLine) RequestQueueHeader {
  std::atomic<std::uint64_t> head;
};

/// One place of a request queue. A line of its own: claims of neighbours do not disturb each other.
struct alignas(kCacheLine) RequestEntry {
  std::atomic<std::uint64_t> word;
  std::atomic<std::uint32_t> slot;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(RequestQueueHeader) == 64 && sizeof(RequestEntry) == 64);
static_assert(offsetof(RequestQueueHeader, head) == 0);
static_assert(offsetof(RequestEntry, word) == 0 && offsetof(RequestEntry, slot) == 8);

/// View of a request queue in shared memory, plus (used in the parent only) its private books.
///
/// Owner:  the memory is the caller's and must outlive the view. `capacity` is a power of two.
/// Thread: parent functions from one thread at a time of the process that posts, through one view;
///         worker functions from any process, through any view (also a forked copy).
class RequestQueue {
 public:
  /// Bytes of shared memory for `capacity` entries.
  [[nodiscard]] static std::size_t bytes(std::uint32_t capacity) noexcept;

  /// Makes an empty queue in `memory` (aligned to kCacheLine, bytes(capacity) long). Once, before
  /// any view is used; again only when no worker can touch it any more, and then with a new view.
  static void format(std::byte* memory, std::uint32_t capacity) noexcept;

  RequestQueue(std::byte* memory, std::uint32_t capacity);

  RequestQueue(RequestQueue&&) noexcept = default;
  RequestQueue& operator=(RequestQueue&&) noexcept = default;
  RequestQueue(const RequestQueue&) = delete;  // Two tails would post under the same tickets.
  RequestQueue& operator=(const RequestQueue&) = delete;
  ~RequestQueue() = default;

  /// Parent: offers `slot` and returns the request's ticket; empty while the next place is in use.
  /// Ring a doorbell afterwards: the post ends with a seq_cst read-modify-write, as Doorbell needs.
  [[nodiscard]] std::optional<std::uint64_t> try_post(std::uint32_t slot) noexcept;

  /// Parent: takes a request back. True: no worker ever gets it, and release() may follow. False:
  /// it was claimed, and its completion or the death of its claimer is to come.
  [[nodiscard]] bool try_withdraw(std::uint64_t ticket) noexcept;

  /// Parent: where a request is. The answer is final for kClaimed by a worker that was reaped.
  [[nodiscard]] EntryView look(std::uint64_t ticket) const noexcept;

  /// Parent: makes the place of a request reusable. Only after its completion was taken, it was
  /// withdrawn, or its claimer was reaped. A ticket that is not in use is ignored.
  void release(std::uint64_t ticket) noexcept;

  /// Worker: takes the oldest posted request, or nothing. `worker` is the number that look()
  /// reports.
  [[nodiscard]] std::optional<Claim> try_claim(std::uint8_t worker) noexcept;

  /// Worker: is anything posted? Asked between Doorbell::arm() and poll, it misses no request whose
  /// poster did not see the armed flag.
  [[nodiscard]] bool has_posted() const noexcept;

  [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }

 private:
  [[nodiscard]] RequestEntry& entry(std::uint64_t position) const noexcept;
  [[nodiscard]] std::uint64_t help_past(std::uint64_t position) noexcept;
  void help_from_parent() noexcept;

  RequestQueueHeader* header_;
  RequestEntry* entries_;
  std::uint32_t capacity_;
  std::uint64_t tail_ = 0;             // private to the parent: the next ticket
  std::vector<std::uint64_t> in_use_;  // private to the parent: a place's ticket + 1, 0 when free
};

}  // namespace forklift::ipc
