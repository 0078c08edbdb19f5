// SPDX-License-Identifier: MIT
#include "ipc/completion_ring.hpp"

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/shared_pages.hpp"

namespace forklift::ipc {
namespace {

constexpr std::uint32_t kCapacity = 4;

class RingFixture {
 public:
  RingFixture() { CompletionRing::format(pages_.data(), kCapacity); }

  [[nodiscard]] CompletionRing view(std::uint64_t position = 0) const {
    return {pages_.data(), kCapacity, position};
  }
  [[nodiscard]] CompletionCell& cell(std::size_t i) const {
    return *shared_at<CompletionCell>(pages_.data(), i * sizeof(CompletionCell));
  }

 private:
  testing::SharedPages pages_{CompletionRing::bytes(kCapacity)};
};

TEST(CompletionRing, takes_a_cache_line_a_completion) {
  EXPECT_EQ(CompletionRing::bytes(1), kCacheLine);
  EXPECT_EQ(CompletionRing::bytes(8), 8 * kCacheLine);
}

TEST(CompletionRing, gives_nothing_while_empty) {
  const RingFixture fixture;
  CompletionRing parent = fixture.view();

  EXPECT_FALSE(parent.try_take().has_value());
  EXPECT_FALSE(parent.broken());
}

TEST(CompletionRing, hands_completions_over_in_order_and_whole) {
  const RingFixture fixture;
  CompletionRing worker = fixture.view();
  CompletionRing parent = fixture.view();

  worker.publish({.ticket = (std::uint64_t{1} << 40) + 1, .slot = 7, .kind = 2});
  worker.publish({.ticket = 5, .slot = 8, .kind = 1});

  const Completion first = parent.try_take().value();
  EXPECT_EQ(first.ticket, (std::uint64_t{1} << 40) + 1);
  EXPECT_EQ(first.slot, 7U);
  EXPECT_EQ(first.kind, 2U);
  EXPECT_EQ(parent.try_take().value().ticket, 5U);
  EXPECT_FALSE(parent.try_take().has_value());
}

TEST(CompletionRing, holds_as_many_as_its_capacity_on_every_lap) {
  const RingFixture fixture;
  CompletionRing worker = fixture.view();
  CompletionRing parent = fixture.view();

  for (std::uint64_t lap = 0; lap < 100; ++lap) {
    for (std::uint64_t i = 0; i < kCapacity; ++i) {
      worker.publish({.ticket = lap * kCapacity + i, .slot = 0, .kind = 0});
    }
    for (std::uint64_t i = 0; i < kCapacity; ++i) {
      ASSERT_EQ(parent.try_take().value().ticket, lap * kCapacity + i);
    }
    ASSERT_FALSE(parent.try_take().has_value());
  }
  EXPECT_FALSE(parent.broken());
}

TEST(CompletionRing, overwrites_a_cell_that_a_dead_predecessor_did_not_publish) {
  const RingFixture fixture;
  CompletionRing parent = fixture.view();
  fixture.view().publish({.ticket = 1, .slot = 1, .kind = 0});
  fixture.cell(1).ticket = 99;  // written, and then its worker was killed

  ASSERT_EQ(parent.try_take().value().ticket, 1U);
  EXPECT_FALSE(parent.try_take().has_value());
  fixture.view(parent.position()).publish({.ticket = 2, .slot = 1, .kind = 0});
  EXPECT_EQ(parent.try_take().value().ticket, 2U);
}

TEST(CompletionRing, reports_a_number_that_no_worker_publishes_next) {
  for (const std::uint64_t garbage : {std::uint64_t{1},
                                      std::uint64_t{3},
                                      std::uint64_t{kCapacity + 2},
                                      std::uint64_t{1} << 63,
                                      ~std::uint64_t{0}}) {
    const RingFixture fixture;
    CompletionRing parent = fixture.view();
    fixture.view().publish({.ticket = 1, .slot = 1, .kind = 0});
    ASSERT_TRUE(parent.try_take().has_value());

    fixture.cell(1).published = garbage;

    EXPECT_FALSE(parent.try_take().has_value()) << garbage;
    EXPECT_TRUE(parent.broken()) << garbage;
    fixture.cell(1).published = 2;
    EXPECT_FALSE(parent.try_take().has_value()) << "broken stays broken";
  }
}

TEST(CompletionRing, knows_what_a_lap_ago_left_in_a_cell) {
  const RingFixture fixture;
  CompletionRing worker = fixture.view();
  CompletionRing parent = fixture.view();
  for (std::uint64_t i = 0; i < 3 * std::uint64_t{kCapacity}; ++i) {
    worker.publish({.ticket = i, .slot = 0, .kind = 0});
    ASSERT_TRUE(parent.try_take().has_value());
    ASSERT_FALSE(parent.try_take().has_value());
    ASSERT_FALSE(parent.broken()) << i;
  }

  fixture.cell(0).published = kCapacity + 1;  // that of two laps ago

  EXPECT_FALSE(parent.try_take().has_value());
  EXPECT_TRUE(parent.broken());
}

// The worker's side: numbers in `payload`, of which `taken` were read already.
void publish_numbers(CompletionRing ring,
                     std::vector<std::uint64_t>& payload,
                     const std::atomic<std::uint64_t>& taken,
                     std::uint64_t num_messages) {
  for (std::uint64_t i = 0; i < num_messages; ++i) {
    // Stands for the request queue: never more than the capacity outstanding.
    while (i - taken.load(std::memory_order_acquire) >= kCapacity) {
      ::sched_yield();
    }
    payload[i % kCapacity] = i * 7;
    ring.publish({.ticket = i, .slot = static_cast<std::uint32_t>(i % kCapacity), .kind = 3});
  }
}

TEST(CompletionRing, passes_a_million_completions_and_what_was_written_before_them) {
  constexpr std::uint64_t kMessages = 1'000'000;
  const RingFixture fixture;
  std::vector<std::uint64_t> payload(kCapacity);
  std::atomic<std::uint64_t> taken{0};
  std::thread worker(
      publish_numbers, fixture.view(), std::ref(payload), std::cref(taken), kMessages);

  CompletionRing parent = fixture.view();
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kMessages;) {
    const std::optional<Completion> completion = parent.try_take();
    if (!completion) {
      ::sched_yield();
      continue;
    }
    wrong += completion->ticket == i && payload[completion->slot] == i * 7 ? 0U : 1U;
    taken.store(++i, std::memory_order_release);
  }
  worker.join();

  EXPECT_EQ(wrong, 0U);
  EXPECT_FALSE(parent.broken());
}

}  // namespace
}  // namespace forklift::ipc
