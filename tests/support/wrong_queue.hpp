// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "ipc/request_queue.hpp"

namespace forklift::testing {

/// How WrongQueue claims.
enum class Flaw {
  kReservesFirst,  ///< moves the head over an entry, then marks it claimed: a death between loses
                   ///< it
  kStoresClaim,    ///< reads "posted", then stores "claimed": two workers can claim the same entry
};

/// A queue with the functions of ipc::RequestQueue and one classic mistake: the control of the
/// proof, which must find it guilty.
template <Flaw kFlaw>
class WrongQueue {
 public:
  [[nodiscard]] static std::size_t bytes(std::uint32_t capacity) {
    return ipc::RequestQueue::bytes(capacity);
  }
  static void format(std::byte* memory, std::uint32_t capacity) {
    ipc::RequestQueue::format(memory, capacity);
  }

  WrongQueue(std::byte* memory, std::uint32_t capacity)
      : head_(&ipc::shared_at<ipc::RequestQueueHeader>(memory, 0)->head),
        entries_(ipc::shared_at<ipc::RequestEntry>(memory, sizeof(ipc::RequestQueueHeader))),
        capacity_(capacity) {}

  [[nodiscard]] std::optional<std::uint64_t> try_post(std::uint32_t slot) {
    ipc::RequestEntry& target = entry(tail_);
    if (target.word != pack(tail_, 0, ipc::EntryState::kFree)) {
      return std::nullopt;
    }
    target.slot = slot;
    target.word = pack(tail_, 0, ipc::EntryState::kPosted);
    return tail_++;
  }

  [[nodiscard]] ipc::EntryView look(std::uint64_t ticket) const {
    const std::uint64_t word = entry(ticket).word;
    return {.state = static_cast<ipc::EntryState>(word & 0xff),
            .worker = static_cast<std::uint8_t>(word >> 8)};
  }

  void release(std::uint64_t ticket) {
    entry(ticket).word = pack(ticket + capacity_, 0, ipc::EntryState::kFree);
  }

  [[nodiscard]] std::optional<ipc::Claim> try_claim(std::uint8_t worker) {
    while (true) {
      std::uint64_t position = head_->load();
      ipc::RequestEntry& target = entry(position);
      const std::uint64_t word = target.word;
      if (word == pack(position, 0, ipc::EntryState::kPosted)) {
        if (kFlaw == Flaw::kReservesFirst &&
            !head_->compare_exchange_strong(position, position + 1)) {
          continue;
        }
        target.word = pack(position, worker, ipc::EntryState::kClaimed);
        if (kFlaw == Flaw::kStoresClaim) {
          head_->store(position + 1);
        }
        return ipc::Claim{.ticket = position, .slot = target.slot};
      }
      if (word >> 16 < position || word == pack(position, 0, ipc::EntryState::kFree)) {
        return std::nullopt;
      }
      static_cast<void>(head_->compare_exchange_strong(position, position + 1));
    }
  }

 private:
  [[nodiscard]] static std::uint64_t pack(std::uint64_t ticket,
                                          std::uint8_t worker,
                                          ipc::EntryState state) {
    return ticket << 16 | std::uint64_t{worker} << 8 | static_cast<std::uint64_t>(state);
  }
  [[nodiscard]] ipc::RequestEntry& entry(std::uint64_t position) const {
    return entries_[position & (capacity_ - 1)];
  }

  std::atomic<std::uint64_t>* head_;
  ipc::RequestEntry* entries_;
  std::uint32_t capacity_;
  std::uint64_t tail_ = 0;
};

}  // namespace forklift::testing
