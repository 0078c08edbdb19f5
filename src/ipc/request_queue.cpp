// SPDX-License-Identifier: MIT
#include "ipc/request_queue.hpp"

#include <algorithm>
#include <memory>

namespace forklift::ipc {
namespace {

constexpr unsigned kTicketShift = 16;
constexpr unsigned kWorkerShift = 8;
constexpr std::uint64_t kLowByte = 0xff;

constexpr std::uint64_t pack(std::uint64_t ticket, std::uint8_t worker, EntryState state) noexcept {
  return ticket << kTicketShift | std::uint64_t{worker} << kWorkerShift |
         static_cast<std::uint64_t>(state);
}

constexpr std::uint64_t ticket_of(std::uint64_t word) noexcept {
  return word >> kTicketShift;
}

constexpr std::uint8_t worker_of(std::uint64_t word) noexcept {
  return static_cast<std::uint8_t>(word >> kWorkerShift & kLowByte);
}

constexpr EntryState state_of(std::uint64_t word) noexcept {
  const std::uint64_t value = word & kLowByte;
  return value < static_cast<std::uint64_t>(EntryState::kBroken) ? static_cast<EntryState>(value)
                                                                 : EntryState::kBroken;
}

// What the word at a place says about one position that maps to it. The ticket of a lap ago means
// that nothing was posted there since.
enum class Phase { kNotYetPosted, kPosted, kPast };

constexpr Phase phase_of(std::uint64_t word, std::uint64_t position) noexcept {
  const std::uint64_t ticket = ticket_of(word);
  if (ticket != position) {
    return ticket < position ? Phase::kNotYetPosted : Phase::kPast;
  }
  switch (state_of(word)) {
    case EntryState::kFree:
      return Phase::kNotYetPosted;
    case EntryState::kPosted:
      return Phase::kPosted;
    default:
      return Phase::kPast;
  }
}

}  // namespace

std::size_t RequestQueue::bytes(std::uint32_t capacity) noexcept {
  return sizeof(RequestQueueHeader) + std::size_t{capacity} * sizeof(RequestEntry);
}

void RequestQueue::format(std::byte* memory, std::uint32_t capacity) noexcept {
  auto* header = std::construct_at(shared_at<RequestQueueHeader>(memory, 0));
  // Relaxed here: whoever gets a view gets it by fork or by a thread's start, which order all of
  // this.
  header->head.store(0, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < capacity; ++i) {
    const std::size_t offset = sizeof(RequestQueueHeader) + std::size_t{i} * sizeof(RequestEntry);
    auto* entry = std::construct_at(shared_at<RequestEntry>(memory, offset));
    entry->slot.store(0, std::memory_order_relaxed);
    entry->word.store(pack(i, 0, EntryState::kFree), std::memory_order_relaxed);
  }
}

RequestQueue::RequestQueue(std::byte* memory, std::uint32_t capacity)
    : header_(shared_at<RequestQueueHeader>(memory, 0)),
      entries_(shared_at<RequestEntry>(memory, sizeof(RequestQueueHeader))),
      capacity_(capacity),
      in_use_(capacity, 0) {}

RequestEntry& RequestQueue::entry(std::uint64_t position) const noexcept {
  return entries_[position & (capacity_ - 1)];
}

std::optional<std::uint64_t> RequestQueue::try_post(std::uint32_t slot) noexcept {
  const std::uint64_t ticket = tail_;
  std::uint64_t& place = in_use_[ticket & (capacity_ - 1)];
  if (place != 0) {
    return std::nullopt;
  }
  RequestEntry& target = entry(ticket);
  // Relaxed: handed over by the release half of the exchange below.
  target.slot.store(slot, std::memory_order_relaxed);
  // seq_cst read-modify-write: pairs with the acquire operations of try_claim(), and comes before
  // the exchange in Doorbell::ring(). The old word, of a request that has ended, is of no interest.
  static_cast<void>(target.word.exchange(pack(ticket, 0, EntryState::kPosted)));
  place = ticket + 1;
  ++tail_;
  return ticket;
}

bool RequestQueue::try_withdraw(std::uint64_t ticket) noexcept {
  std::uint64_t expected = pack(ticket, 0, EntryState::kPosted);
  const std::uint64_t withdrawn = pack(ticket, 0, EntryState::kWithdrawn);
  if (!entry(ticket).word.compare_exchange_strong(expected, withdrawn)) {
    return false;
  }
  help_from_parent();
  return true;
}

EntryView RequestQueue::look(std::uint64_t ticket) const noexcept {
  if (in_use_[ticket & (capacity_ - 1)] != ticket + 1) {
    return {.state = EntryState::kFree, .worker = 0};
  }
  // Relaxed: asks for the state alone; what a dead claimer wrote is ordered by its reaping. One
  // load, and all else works on this copy.
  const std::uint64_t word = entry(ticket).word.load(std::memory_order_relaxed);
  const EntryState state = state_of(word);
  if (ticket_of(word) != ticket || state == EntryState::kFree) {
    return {.state = EntryState::kBroken, .worker = 0};
  }
  return {.state = state, .worker = worker_of(word)};
}

void RequestQueue::release(std::uint64_t ticket) noexcept {
  std::uint64_t& place = in_use_[ticket & (capacity_ - 1)];
  if (place == ticket + 1) {
    // The shared word stays as it is: to whoever looks for a later ticket it says "not yet posted",
    // and its cache line is not fetched from the worker only to say so again.
    place = 0;
  }
}

std::optional<Claim> RequestQueue::try_claim(std::uint8_t worker) noexcept {
  // Relaxed: a hint. Too old a value costs steps, and no value is ahead of a posted entry.
  std::uint64_t position = header_->head.load(std::memory_order_relaxed);
  while (true) {
    RequestEntry& target = entry(position);
    // Acquire: pairs with the exchange in try_post(), so that the slot is not older than the word.
    std::uint64_t word = target.word.load(std::memory_order_acquire);
    const Phase phase = phase_of(word, position);
    if (phase == Phase::kNotYetPosted) {
      return std::nullopt;
    }
    if (phase == Phase::kPast) {
      position = help_past(position);
      continue;
    }
    // Relaxed: a slot newer than the word is no harm. The parent rewrites it only after this ticket
    // was claimed or withdrawn; the word never returns from there, so the compare-exchange fails.
    const std::uint32_t slot = target.slot.load(std::memory_order_relaxed);
    const std::uint64_t claimed = pack(position, worker, EntryState::kClaimed);
    // Acquire: pairs with the exchange in try_post(): what the parent wrote into the slot is seen.
    // After a failure the same position is judged anew.
    if (target.word.compare_exchange_strong(
            word, claimed, std::memory_order_acquire, std::memory_order_relaxed)) {
      static_cast<void>(help_past(position));
      return Claim{.ticket = position, .slot = slot};
    }
  }
}

bool RequestQueue::has_posted() const noexcept {
  // Relaxed: a hint, as in try_claim().
  std::uint64_t position = header_->head.load(std::memory_order_relaxed);
  while (true) {
    // Acquire: pairs with the exchange in try_post(). That a post before the doorbell's exchange is
    // seen here follows from that exchange, by coherence.
    const std::uint64_t word = entry(position).word.load(std::memory_order_acquire);
    const Phase phase = phase_of(word, position);
    if (phase != Phase::kPast) {
      return phase == Phase::kPosted;
    }
    ++position;
  }
}

// Moves the hint over a position that is past, unless it is further already. Returns the next
// position to look at.
std::uint64_t RequestQueue::help_past(std::uint64_t position) noexcept {
  std::uint64_t head = position;
  // Relaxed: the hint orders nothing; every entry is judged by its own word.
  static_cast<void>(header_->head.compare_exchange_strong(
      head, position + 1, std::memory_order_relaxed, std::memory_order_relaxed));
  return std::max(head, position + 1);
}

// Withdrawn entries are passed by the parent, since no worker may come by for laps. What it starts
// from is its own tail: a place can only be posted again when its last position is past.
void RequestQueue::help_from_parent() noexcept {
  std::uint64_t head = header_->head.load(std::memory_order_relaxed);
  std::uint64_t target = std::max(head, tail_ > capacity_ ? tail_ - capacity_ : 0);
  while (target < tail_ &&
         phase_of(entry(target).word.load(std::memory_order_acquire), target) ==
             Phase::kPast) {  // Acquire: as in try_claim(); nothing is read by it.
    ++target;
  }
  // Relaxed: as in help_past(). A failed exchange reloads the hint, which only grows.
  while (head < target && !header_->head.compare_exchange_weak(
                              head, target, std::memory_order_relaxed, std::memory_order_relaxed)) {
  }
}

}  // namespace forklift::ipc
