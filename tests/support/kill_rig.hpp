// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "ipc/completion_ring.hpp"
#include "ipc/request_queue.hpp"
#include "support/shared_pages.hpp"
#include "support/single_step.hpp"

namespace forklift::testing {

/// What a run with kills did to its requests. All zero: each was completed exactly once.
struct Damage {
  int lost = 0;     ///< never completed
  int doubled = 0;  ///< completed more than once
  int stray = 0;    ///< a completion or an entry that fits no request, or a queue that jams

  void add(const Damage& other) noexcept {
    lost += other.lost;
    doubled += other.doubled;
    stray += other.stray;
  }
  [[nodiscard]] bool is_none() const noexcept { return lost + doubled + stray == 0; }
};

/// A parent with one queue, a completion ring a worker, and its books about the requests, doing
/// after a death what the library does: reap, drain, look, release, post again under a new ticket.
///
/// Queue:  RequestQueue, or a wrong one with the same functions that the rig must find guilty.
/// Thread: one; workers are forked children.
template <class Queue>
class KillRig {
 public:
  static constexpr std::uint32_t kCapacity = 4;
  static constexpr std::uint8_t kWorkers = 2;

  /// Posts as many of `num_requests` as there are places. Starts in the middle of a lap, so that
  /// the places wrap around.
  explicit KillRig(std::size_t num_requests) : requests_(num_requests) {
    Queue::format(queue_pages_.data(), kCapacity);
    queue_.emplace(queue_pages_.data(), kCapacity);
    for (const auto& pages : ring_pages_) {
      ipc::CompletionRing::format(pages.data(), kCapacity);
      rings_.emplace_back(pages.data(), kCapacity);
    }
    for (std::uint64_t i = 0; i < kCapacity - 1; ++i) {
      damage_.stray += try_one_round_trip() ? 0 : 1;
    }
    post_pending();
  }

  /// Worker: claims, touches the slot and publishes until the queue is empty.
  void work(std::uint8_t worker) {
    Queue queue(queue_pages_.data(), kCapacity);
    // Of the parent, as it stood when this process was forked: the ring of a dead one was drained.
    const std::uint64_t position = rings_.at(worker).position();
    ipc::CompletionRing ring(ring_pages_.at(worker).data(), kCapacity, position);
    auto* touched = ipc::shared_at<std::uint32_t>(touched_pages_.data(), 0);
    SteppedChild::stop_here();
    while (const std::optional<ipc::Claim> claim = queue.try_claim(worker)) {
      touched[claim->slot] = claim->slot + 1;
      ring.publish({.ticket = claim->ticket, .slot = claim->slot, .kind = 0});
    }
  }

  void post_pending() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i].ticket || requests_[i].completions > 0) {
        continue;
      }
      const std::optional<std::uint64_t> ticket = queue_->try_post(static_cast<std::uint32_t>(i));
      if (!ticket) {
        return;
      }
      requests_[i].ticket = ticket;
      owners_.resize(*ticket + 1, kNobody);
      owners_[*ticket] = i;
    }
  }

  void drain(std::uint8_t worker) {
    while (const std::optional<ipc::Completion> completion = rings_.at(worker).try_take()) {
      const std::size_t owner =
          completion->ticket < owners_.size() ? owners_[completion->ticket] : kNobody;
      if (owner == kNobody || owner != completion->slot || !is_touched(completion->slot)) {
        ++damage_.stray;
        continue;
      }
      ++requests_[owner].completions;
      if (requests_[owner].ticket == completion->ticket) {
        queue_->release(completion->ticket);
        requests_[owner].ticket.reset();
      }
    }
    damage_.stray += rings_.at(worker).broken() ? 1 : 0;
  }

  /// After `worker` was reaped: takes what it finished and posts again what it only claimed.
  void recover(std::uint8_t worker) {
    drain(worker);
    for (Request& request : requests_) {
      if (!request.ticket) {
        continue;
      }
      const ipc::EntryView view = queue_->look(*request.ticket);
      if (view.state == ipc::EntryState::kClaimed && view.worker == worker) {
        queue_->release(*request.ticket);
        request.ticket.reset();
      } else if (view.state != ipc::EntryState::kPosted &&
                 view.state != ipc::EntryState::kClaimed) {
        ++damage_.stray;
      }
    }
    post_pending();
  }

  /// Lets fresh workers, the successors of number 0, do the rest and says how it went.
  [[nodiscard]] Damage settle() {
    for (std::size_t lap = 0; lap <= requests_.size() / kCapacity; ++lap) {
      run_unstepped(0);
      recover(0);
    }
    for (const Request& request : requests_) {
      damage_.lost += request.completions == 0 ? 1 : 0;
      damage_.doubled += request.completions > 1 ? 1 : 0;
    }
    for (std::uint32_t i = 0; damage_.is_none() && i < kCapacity; ++i) {
      damage_.stray += try_one_round_trip() ? 0 : 1;  // Every place is usable again.
    }
    return damage_;
  }

 private:
  struct Request {
    std::optional<std::uint64_t> ticket;  // while posted or claimed
    int completions = 0;
  };

  static constexpr std::size_t kNobody = ~std::size_t{0};
  static constexpr std::size_t kPageBytes = 4096;

  [[nodiscard]] bool is_touched(std::uint32_t slot) const {
    return ipc::shared_at<std::uint32_t>(touched_pages_.data(), 0)[slot] == slot + 1;
  }

  [[nodiscard]] bool try_one_round_trip() {
    const std::optional<std::uint64_t> ticket = queue_->try_post(0);
    if (!ticket) {
      return false;
    }
    Queue worker(queue_pages_.data(), kCapacity);
    const std::optional<ipc::Claim> claim = worker.try_claim(0);
    queue_->release(*ticket);
    return claim && claim->ticket == *ticket;
  }

  void run_unstepped(std::uint8_t worker) {
    SteppedChild child([this, worker] { work(worker); });
    child.finish();
    child.kill();
  }

  SharedPages queue_pages_{Queue::bytes(kCapacity)};
  std::array<SharedPages, kWorkers> ring_pages_{SharedPages(ipc::CompletionRing::bytes(kCapacity)),
                                                SharedPages(ipc::CompletionRing::bytes(kCapacity))};
  SharedPages touched_pages_{kPageBytes};
  std::optional<Queue> queue_;
  std::vector<ipc::CompletionRing> rings_;
  std::vector<Request> requests_;
  std::vector<std::size_t> owners_;  // by ticket: the request
  Damage damage_;
};

}  // namespace forklift::testing
