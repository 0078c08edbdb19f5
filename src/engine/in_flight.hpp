// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <vector>

#include "ipc/completion_ring.hpp"

namespace forklift::engine {

/// One batch that was asked for and not yet taken.
struct Request {
  enum class State : std::uint8_t {
    kNone,
    kPosted,     ///< a worker has it or will have it
    kReady,      ///< its slot holds a batch or an error
    kExhausted,  ///< the worker's stream had no more
    kFailed,     ///< it never reached a worker; `error` stands in its place
    kAbandoned,  ///< a worker has it, and nobody wants the result
  };
  State state = State::kNone;
  std::uint32_t worker = 0;
  std::uint32_t stream = 0;    ///< of an iterable dataset; else the worker
  std::uint64_t turn = 0;      ///< when it is due, in order, without gaps
  std::uint64_t sequence = 0;  ///< number of the batch in its pass
  std::uint64_t ticket = 0;
  std::uint64_t rows = 0;     ///< indices
  std::uint64_t samples = 0;  ///< at most
  std::exception_ptr error;
};

/// The parent's private book of requests, by slot. What a completion claims is checked here before
/// it is believed. Thread: one at a time.
class InFlight {
 public:
  /// `num_streams` may come to their end while an earlier batch is waited for; each makes room for
  /// one more request then.
  InFlight(std::uint32_t num_slots, std::size_t num_streams, bool in_order)
      : by_slot_(num_slots),
        by_turn_(in_order ? num_slots + num_streams : 0) {}

  /// A request that was posted, or failed before.
  void add(std::uint32_t slot, Request request);
  /// Marks the request of a completion as ready. False when there is no such request with that
  /// worker.
  [[nodiscard]] bool complete(std::uint32_t worker, const ipc::Completion& completion);
  /// The slot of the batch whose turn it is when it is ready (batches in order), or of the batch
  /// that was ready first (otherwise).
  [[nodiscard]] std::optional<std::uint32_t> ready(std::uint64_t turn) const;
  /// Takes a ready request out of the book.
  Request remove(std::uint32_t slot);
  /// Takes a request out of the book whose worker had no more, if there is one; its batch is
  /// passed over.
  [[nodiscard]] std::optional<std::uint32_t> take_exhausted(Request& request);
  [[nodiscard]] bool has_exhausted() const noexcept { return !exhausted_.empty(); }
  /// True for a batch that is passed over (batches in order).
  [[nodiscard]] bool is_passed_over(std::uint64_t turn) const {
    return is_in_order() && slot_of(turn) == kPassedOver;
  }
  /// Marks a posted request as one that nobody waits for.
  void abandon(std::uint32_t slot) { by_slot_[slot].state = Request::State::kAbandoned; }
  /// Abandoned requests that were completed since the last call; their slots are free to use.
  [[nodiscard]] std::vector<std::uint32_t> take_finished_abandoned();

  [[nodiscard]] const Request& at(std::uint32_t slot) const { return by_slot_[slot]; }
  /// The slot of the batch whose turn it is, with batches in order.
  [[nodiscard]] std::uint32_t slot_of(std::uint64_t turn) const {
    return by_turn_[static_cast<std::size_t>(turn % by_turn_.size())];
  }
  [[nodiscard]] std::uint32_t num_slots() const noexcept {
    return static_cast<std::uint32_t>(by_slot_.size());
  }
  [[nodiscard]] bool has_abandoned() const noexcept;
  /// Forgets the order of an earlier pass. Abandoned requests stay.
  void start_pass() {
    ready_.clear();
    exhausted_.clear();
  }

 private:
  static constexpr std::uint32_t kPassedOver = UINT32_MAX;

  [[nodiscard]] bool is_in_order() const noexcept { return !by_turn_.empty(); }

  std::vector<Request> by_slot_;
  // In order, at most a window of turns and one more for each stream is in use at a time, so that
  // a turn modulo the size is unique.
  std::vector<std::uint32_t> by_turn_;
  std::deque<std::uint32_t> ready_;  // out of order: slots as they became ready
  std::vector<std::uint32_t> exhausted_;
  std::vector<std::uint32_t> finished_abandoned_;
};

}  // namespace forklift::engine
