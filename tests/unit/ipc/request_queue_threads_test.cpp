// SPDX-License-Identifier: MIT
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/completion_ring.hpp"
#include "ipc/request_queue.hpp"
#include "support/shared_pages.hpp"

// Threads over the memory that processes share in the library: ThreadSanitizer sees threads only.
namespace forklift::ipc {
namespace {

constexpr std::uint32_t kCapacity = 8;
constexpr std::size_t kWorkers = 2;

// One queue, a completion ring for each worker, and a plain number in each slot: ThreadSanitizer
// reports a race on it when the orders of queue or ring are too weak.
struct Shared {
  testing::SharedPages queue{RequestQueue::bytes(kCapacity)};
  std::array<testing::SharedPages, kWorkers> rings{
      testing::SharedPages(CompletionRing::bytes(kCapacity)),
      testing::SharedPages(CompletionRing::bytes(kCapacity))};
  std::array<std::uint64_t, kCapacity> payload{};
  std::atomic<bool> stop{false};

  Shared() {
    RequestQueue::format(queue.data(), kCapacity);
    for (const auto& ring : rings) {
      CompletionRing::format(ring.data(), kCapacity);
    }
  }
};

void work(Shared& shared, std::size_t worker) {
  RequestQueue queue(shared.queue.data(), kCapacity);
  CompletionRing ring(shared.rings[worker].data(), kCapacity);
  while (!shared.stop.load()) {
    const std::optional<Claim> claim = queue.try_claim(static_cast<std::uint8_t>(worker));
    if (!claim) {
      ::sched_yield();
      continue;
    }
    shared.payload[claim->slot] = 2 * shared.payload[claim->slot] + 1;
    ring.publish({.ticket = claim->ticket, .slot = claim->slot, .kind = 0});
  }
}

class Parent {
 public:
  explicit Parent(Shared& shared) : shared_(shared), queue_(shared.queue.data(), kCapacity) {
    for (std::uint32_t slot = 0; slot < kCapacity; ++slot) {
      free_slots_.push_back(slot);
    }
    for (const auto& ring : shared.rings) {
      rings_.emplace_back(ring.data(), kCapacity);
    }
  }

  // The ticket, when a slot and a place were free.
  std::optional<std::uint64_t> post(std::uint64_t value) {
    if (free_slots_.empty()) {
      return std::nullopt;
    }
    const std::uint32_t slot = free_slots_.front();
    shared_.payload[slot] = value;
    const std::optional<std::uint64_t> ticket = queue_.try_post(slot);
    if (ticket) {
      free_slots_.pop_front();
      if (values_.size() <= *ticket) {
        values_.resize(*ticket + 1);
        completed_.resize(*ticket + 1);
      }
      values_[*ticket] = value;
      slots_[*ticket % kCapacity] = slot;
    }
    return ticket;
  }

  bool withdraw(std::uint64_t ticket) {
    if (!queue_.try_withdraw(ticket)) {
      return false;
    }
    free_slots_.push_back(slots_[ticket % kCapacity]);
    queue_.release(ticket);
    return true;
  }

  std::uint64_t take_all() {
    std::uint64_t taken = 0;
    for (auto& ring : rings_) {
      while (const std::optional<Completion> completion = ring.try_take()) {
        finish(*completion);
        ++taken;
      }
    }
    return taken;
  }

  [[nodiscard]] bool is_idle() const { return free_slots_.size() == kCapacity; }
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] int completions_of(std::uint64_t ticket) const { return completed_.at(ticket); }

 private:
  void finish(const Completion& completion) {
    const std::uint64_t ticket = completion.ticket;
    if (shared_.payload[completion.slot] != 2 * values_.at(ticket) + 1 ||
        slots_[ticket % kCapacity] != completion.slot) {
      ++wrong_;
    }
    if (++completed_.at(ticket) == 1) {
      queue_.release(ticket);
      free_slots_.push_back(completion.slot);
    }
  }

  Shared& shared_;
  RequestQueue queue_;
  std::vector<CompletionRing> rings_;
  std::deque<std::uint32_t> free_slots_;
  std::array<std::uint32_t, kCapacity> slots_{};
  std::vector<std::uint64_t> values_;
  std::vector<std::uint8_t> completed_;
  std::uint64_t wrong_ = 0;
};

// Posts all requests to two running workers and takes their completions until none is open;
// `after_posting` gets the tickets of each round.
template <class AfterPosting>
void run(Shared& shared, Parent& parent, std::uint64_t num_requests, AfterPosting&& after_posting) {
  std::vector<std::thread> workers;
  for (std::size_t worker = 0; worker < kWorkers; ++worker) {
    workers.emplace_back(work, std::ref(shared), worker);
  }
  std::uint64_t posted = 0;
  while (posted < num_requests || !parent.is_idle()) {
    const std::uint64_t first = posted;
    while (posted < num_requests && parent.post(posted * 3)) {
      ++posted;
    }
    after_posting(first, posted);
    if (parent.take_all() == 0) {
      ::sched_yield();
    }
  }
  shared.stop = true;
  for (auto& worker : workers) {
    worker.join();
  }
}

// Neither a request that was lost (the loop above runs into the time limit) nor one done twice.
TEST(RequestQueue, brings_each_of_a_million_requests_to_exactly_one_of_two_workers) {
  constexpr std::uint64_t kRequests = 1'000'000;
  Shared shared;
  Parent parent(shared);

  run(shared, parent, kRequests, [](std::uint64_t, std::uint64_t) {});

  EXPECT_EQ(parent.wrong(), 0U);
  std::uint64_t not_once = 0;
  for (std::uint64_t ticket = 0; ticket < kRequests; ++ticket) {
    not_once += parent.completions_of(ticket) == 1 ? 0U : 1U;
  }
  EXPECT_EQ(not_once, 0U);
}

TEST(RequestQueue, either_withdraws_a_request_or_completes_it_when_parent_and_workers_race) {
  constexpr std::uint64_t kRequests = 200'000;
  constexpr std::uint32_t kSeed = 20240607;
  std::printf("seed %u\n", kSeed);
  std::mt19937 random(kSeed);
  Shared shared;
  Parent parent(shared);
  std::vector<std::uint8_t> withdrawn(kRequests);

  run(shared, parent, kRequests, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t ticket = first; ticket < last; ++ticket) {
      withdrawn[ticket] = random() % 2 == 0 && parent.withdraw(ticket) ? 1 : 0;
    }
  });

  EXPECT_EQ(parent.wrong(), 0U);
  std::uint64_t total_withdrawn = 0;
  std::uint64_t not_once = 0;
  for (std::uint64_t ticket = 0; ticket < kRequests; ++ticket) {
    not_once += parent.completions_of(ticket) + withdrawn[ticket] == 1 ? 0U : 1U;
    total_withdrawn += withdrawn[ticket];
  }
  EXPECT_EQ(not_once, 0U);
  EXPECT_GT(total_withdrawn, 0U);
  EXPECT_LT(total_withdrawn, kRequests);
}

}  // namespace
}  // namespace forklift::ipc
