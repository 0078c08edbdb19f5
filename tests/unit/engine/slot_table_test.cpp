// SPDX-License-Identifier: MIT
#include "engine/slot_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/ring.hpp"

namespace forklift::engine {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

ipc::RingPlan plan(std::uint32_t num_slots, std::uint64_t slot_bytes) {
  return {.num_workers = 0,
          .num_slots = num_slots,
          .queue_capacity = 4,
          .max_bytes = slot_bytes * num_slots};
}

TEST(SlotTable, hands_out_each_slot_once) {
  ipc::Ring ring(plan(4, kMiB));
  SlotTable table(ring);
  std::vector<std::uint32_t> slots;
  for (int i = 0; i < 4; ++i) {
    slots.push_back(table.take_free(0));
  }

  EXPECT_EQ(slots, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(table.num_free(), 0U);
}

TEST(SlotTable, reuses_the_slot_that_was_freed_last) {
  ipc::Ring ring(plan(4, kMiB));
  SlotTable table(ring);
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(table.take_free(0));
  }

  table.give_back(2);
  table.give_back(0);

  EXPECT_EQ(table.take_free(0), 0U);
  EXPECT_EQ(table.take_free(0), 2U);
}

TEST(SlotTable, gives_a_worker_the_slot_that_it_filled_last) {
  ipc::Ring ring(plan(4, kMiB));
  SlotTable table(ring);
  const std::uint32_t of_first = table.take_free(0);
  const std::uint32_t of_second = table.take_free(1);
  ASSERT_TRUE(table.lend(of_first, 100));
  ASSERT_TRUE(table.lend(of_second, 100));

  table.give_back(of_first);
  table.give_back(of_second);

  EXPECT_EQ(table.take_free(0), of_first);
  EXPECT_EQ(table.take_free(1), of_second);
}

// Two workers with a window of two each, whose batches are taken by turns and dropped one by one,
// as a loop does. No slot may change hands: each time its memory would move from one core to the
// other.
TEST(SlotTable, keeps_each_worker_to_slots_of_its_own) {
  constexpr std::uint32_t kWorkers = 2;
  constexpr std::uint32_t kWindow = 4;
  ipc::Ring ring(plan(kWindow + kMostLent, kMiB));
  SlotTable table(ring);
  std::deque<std::uint32_t> in_flight;
  std::map<std::uint32_t, std::set<std::uint32_t>> workers_of_slot;
  const auto ask = [&](std::uint32_t batch) {
    in_flight.push_back(table.take_free(batch % kWorkers));
    workers_of_slot[in_flight.back()].insert(batch % kWorkers);
  };
  for (std::uint32_t batch = 0; batch < kWindow; ++batch) {
    ask(batch);
  }

  for (std::uint32_t batch = kWindow; batch < 100; ++batch) {
    const std::uint32_t delivered = in_flight.front();
    in_flight.pop_front();
    ask(batch);
    ASSERT_TRUE(table.lend(delivered, 100));
    table.give_back(delivered);
  }

  for (const auto& [slot, workers] : workers_of_slot) {
    EXPECT_EQ(workers.size(), 1U) << "slot " << slot;
  }
}

TEST(SlotTable, lends_two_slots_and_no_more) {
  ipc::Ring ring(plan(4, kMiB));
  SlotTable table(ring);
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(table.take_free(0));
  }

  EXPECT_TRUE(table.lend(0, 100));
  EXPECT_TRUE(table.lend(1, 100));
  EXPECT_FALSE(table.lend(2, 100));
  EXPECT_EQ(table.num_lent(), 2U);
  EXPECT_EQ(table.num_lent_unlocked(), 2U);

  table.give_back(1);
  EXPECT_TRUE(table.lend(2, 100));
  table.give_back(0);
  table.give_back(2);
  EXPECT_EQ(table.num_lent(), 0U);
  EXPECT_EQ(table.num_free(), 4U);
}

TEST(SlotTable, does_not_count_a_requested_slot_as_lent) {
  ipc::Ring ring(plan(4, kMiB));
  SlotTable table(ring);
  static_cast<void>(table.take_free(0));

  table.give_back(0);

  EXPECT_EQ(table.num_lent(), 0U);
  EXPECT_EQ(table.num_free(), 4U);
}

TEST(SlotTable, gives_pages_back_after_a_batch_far_above_the_recent_ones) {
  ipc::Ring ring(plan(2, 64 * kMiB));
  SlotTable table(ring);
  const std::uint32_t slot = table.take_free(0);
  const auto payload = ring.payload_extent(slot);
  std::ranges::fill(payload.first(static_cast<std::size_t>(32 * kMiB)), std::byte{1});
  ring.header(slot).granted_bytes = 32 * kMiB;
  ASSERT_TRUE(table.lend(slot, 32 * kMiB));

  // The mark of the large batch stays for one whole round of uses after the round that it was in.
  std::uint32_t uses = 0;
  while (payload[static_cast<std::size_t>(32 * kMiB) - 1] == std::byte{1} && uses < 1000) {
    table.give_back(slot);
    ASSERT_EQ(table.take_free(0), slot);
    ASSERT_TRUE(table.lend(slot, kMiB));
    ++uses;
  }

  EXPECT_GE(uses, 64U);
  EXPECT_LE(uses, 129U);
  EXPECT_EQ(payload[static_cast<std::size_t>(kMiB) - 1], std::byte{1});
  EXPECT_EQ(payload[static_cast<std::size_t>(kMiB)], std::byte{0});
  EXPECT_EQ(ring.header(slot).granted_bytes, kMiB);
}

TEST(SlotTable, keeps_the_pages_of_batches_of_like_size) {
  ipc::Ring ring(plan(2, 64 * kMiB));
  SlotTable table(ring);
  const std::uint32_t slot = table.take_free(0);
  ring.payload_extent(slot)[0] = std::byte{1};
  ring.payload_extent(slot)[static_cast<std::size_t>(8 * kMiB)] = std::byte{1};

  for (int use = 0; use < 300; ++use) {
    ASSERT_TRUE(table.lend(slot, use == 0 ? 9 * kMiB : 5 * kMiB));
    table.give_back(slot);
    ASSERT_EQ(table.take_free(0), slot);
  }

  EXPECT_EQ(ring.payload_extent(slot)[static_cast<std::size_t>(8 * kMiB)], std::byte{1});
}

TEST(SlotTable, loses_no_slot_when_batches_are_dropped_on_other_threads) {
  ipc::Ring ring(plan(8, kMiB));
  SlotTable table(ring);
  const auto use = [&](std::uint32_t worker) {
    for (int i = 0; i < 2000; ++i) {
      const std::uint32_t slot = table.take_free(worker);
      static_cast<void>(table.lend(slot, 100));
      table.give_back(slot);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t worker = 0; worker < 4; ++worker) {
      threads.emplace_back(use, worker);
    }
  }

  EXPECT_EQ(table.num_free(), 8U);
  EXPECT_EQ(table.num_lent(), 0U);
  std::vector<std::uint32_t> slots;
  for (int i = 0; i < 8; ++i) {
    slots.push_back(table.take_free(0));
  }
  std::ranges::sort(slots);
  EXPECT_EQ(slots, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace forklift::engine
