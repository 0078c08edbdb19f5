// SPDX-License-Identifier: MIT
// Semantics 3.7 and 10.
#include "engine/batch_ring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "support/in_child.hpp"

namespace forklift::engine {
namespace {

std::shared_ptr<BatchRing> make_ring() {
  return std::make_shared<BatchRing>(ipc::RingPlan{
      .num_workers = 1, .num_slots = 4, .queue_capacity = 4, .max_bytes = std::uint64_t{4} << 20});
}

/// Takes a slot, fills its first 100 payload bytes and lends them.
LentPayload lend_filled(const std::shared_ptr<BatchRing>& ring, std::byte value) {
  const std::uint32_t slot = ring->slots().take_free(0);
  std::ranges::fill(ring->ring().payload_extent(slot).first(100), value);
  return lend(ring, slot, 100);
}

bool begins_in(std::span<const std::byte> part, std::span<const std::byte> whole) {
  return part.data() >= whole.data() && part.data() < whole.data() + whole.size();
}

TEST(RingClaim, is_had_by_one_at_a_time) {
  const auto ring = make_ring();
  auto first = RingClaim::try_take(ring);
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(RingClaim::try_take(ring).has_value());

  first.reset();

  EXPECT_TRUE(RingClaim::try_take(ring).has_value());
  EXPECT_FALSE(RingClaim::try_take(nullptr).has_value());
}

TEST(RingClaim, goes_along_when_it_is_moved) {
  const auto ring = make_ring();
  auto first = RingClaim::try_take(ring);
  std::optional<RingClaim> second(*std::move(first));
  first.reset();
  EXPECT_FALSE(RingClaim::try_take(ring).has_value());
  EXPECT_EQ(second->shared(), ring);

  second.reset();
  EXPECT_TRUE(RingClaim::try_take(ring).has_value());
}

TEST(Lease, shows_the_slot_in_place_and_gives_it_back_with_the_last_owner) {
  const auto ring = make_ring();
  LentPayload lent = lend_filled(ring, std::byte{5});
  auto second_owner = lent.owner;

  EXPECT_EQ(lent.payload.data(), ring->ring().payload_extent(0).data());
  EXPECT_EQ(lent.payload.size(), 100U);
  lent.owner.reset();
  EXPECT_EQ(ring->slots().num_lent(), 1U);
  second_owner.reset();
  EXPECT_EQ(ring->slots().num_lent(), 0U);
  EXPECT_EQ(ring->slots().num_free(), 4U);
}

TEST(Lease, is_a_copy_with_the_slot_free_when_enough_slots_are_lent) {
  const auto ring = make_ring();
  const LentPayload first = lend_filled(ring, std::byte{1});
  const LentPayload second = lend_filled(ring, std::byte{2});
  const LentPayload third = lend_filled(ring, std::byte{3});
  EXPECT_EQ(ring->slots().num_free(), 2U);

  // Whoever fills the free slots now must not be seen in the copy.
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    EXPECT_FALSE(begins_in(third.payload, ring->ring().payload_extent(slot)));
  }
  EXPECT_EQ(third.payload.size(), 100U);
  EXPECT_TRUE(
      std::ranges::all_of(third.payload, [](std::byte byte) { return byte == std::byte{3}; }));
  EXPECT_TRUE(
      std::ranges::all_of(first.payload, [](std::byte byte) { return byte == std::byte{1}; }));
}

TEST(Lease, of_a_batch_without_payload_holds_no_slot) {
  const auto ring = make_ring();
  const LentPayload lent = lend(ring, ring->slots().take_free(0), 0);

  EXPECT_TRUE(lent.payload.empty());
  EXPECT_EQ(lent.owner, nullptr);
  EXPECT_EQ(ring->slots().num_free(), 4U);
}

TEST(Lease, outlives_everybody_else_who_has_the_ring) {
  auto ring = make_ring();
  const std::weak_ptr<BatchRing> watch = ring;
  LentPayload lent = lend_filled(ring, std::byte{5});

  ring.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(lent.payload[99], std::byte{5});

  std::jthread([owner = std::move(lent.owner)]() mutable { owner.reset(); }).join();
  EXPECT_TRUE(watch.expired());
}

TEST(Lease, dropped_in_a_fork_leaves_the_table_alone) {
  const auto ring = make_ring();
  LentPayload lent = lend_filled(ring, std::byte{5});

  const int status = test_support::run_in_child([&] {
    const bool is_readable = lent.payload[99] == std::byte{5};
    lent.owner.reset();
    return is_readable && ring->slots().num_lent_unlocked() == 1 ? 0 : 1;
  });

  EXPECT_EQ(status, 0);
  EXPECT_EQ(ring->slots().num_lent(), 1U);
}

}  // namespace
}  // namespace forklift::engine
