// SPDX-License-Identifier: MIT
#include "ipc/request_queue.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "support/shared_pages.hpp"

namespace forklift::ipc {
namespace {

constexpr std::uint32_t kCapacity = 4;

class QueueFixture {
 public:
  QueueFixture() { RequestQueue::format(pages_.data(), kCapacity); }

  [[nodiscard]] RequestQueue view() const { return {pages_.data(), kCapacity}; }
  [[nodiscard]] std::atomic<std::uint64_t>& head() const {
    return shared_at<RequestQueueHeader>(pages_.data(), 0)->head;
  }
  [[nodiscard]] std::atomic<std::uint64_t>& word(std::size_t place) const {
    const std::size_t offset = sizeof(RequestQueueHeader) + place * sizeof(RequestEntry);
    return shared_at<RequestEntry>(pages_.data(), offset)->word;
  }

 private:
  testing::SharedPages pages_{RequestQueue::bytes(kCapacity)};
};

TEST(RequestQueue, needs_the_header_and_one_line_an_entry) {
  EXPECT_EQ(RequestQueue::bytes(1), 2 * kCacheLine);
  EXPECT_EQ(RequestQueue::bytes(8), 9 * kCacheLine);
}

TEST(RequestQueue, hands_requests_out_in_the_order_of_posting) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  RequestQueue worker = fixture.view();

  for (std::uint32_t slot = 10; slot < 13; ++slot) {
    ASSERT_TRUE(parent.try_post(slot).has_value());
  }

  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::optional<Claim> claim = worker.try_claim(1);
    ASSERT_TRUE(claim.has_value());
    EXPECT_EQ(claim->ticket, i);
    EXPECT_EQ(claim->slot, 10 + i);
  }
  EXPECT_FALSE(worker.try_claim(1).has_value());
}

TEST(RequestQueue, gives_nothing_while_empty) {
  const QueueFixture fixture;
  RequestQueue worker = fixture.view();

  EXPECT_FALSE(worker.has_posted());
  EXPECT_FALSE(worker.try_claim(0).has_value());
}

TEST(RequestQueue, refuses_a_post_while_the_next_place_is_in_use) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  for (std::uint32_t slot = 0; slot < kCapacity; ++slot) {
    ASSERT_TRUE(parent.try_post(slot).has_value());
  }

  EXPECT_FALSE(parent.try_post(99).has_value());
  ASSERT_TRUE(fixture.view().try_claim(0).has_value());
  EXPECT_FALSE(parent.try_post(99).has_value()) << "claimed is still in use";
  parent.release(0);
  EXPECT_EQ(parent.try_post(99), std::optional<std::uint64_t>(kCapacity));
}

TEST(RequestQueue, never_repeats_a_ticket_over_many_laps) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  RequestQueue worker = fixture.view();

  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(parent.try_post(static_cast<std::uint32_t>(i % 7)), std::optional(i));
    const std::optional<Claim> claim = worker.try_claim(3);
    ASSERT_TRUE(claim.has_value());
    ASSERT_EQ(claim->ticket, i);
    ASSERT_EQ(claim->slot, i % 7);
    parent.release(i);
  }
}

TEST(RequestQueue, says_who_claimed_a_request) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  RequestQueue worker = fixture.view();
  const std::uint64_t first = parent.try_post(0).value();
  const std::uint64_t second = parent.try_post(1).value();

  ASSERT_TRUE(worker.try_claim(255).has_value());

  EXPECT_EQ(parent.look(first).state, EntryState::kClaimed);
  EXPECT_EQ(parent.look(first).worker, 255);
  EXPECT_EQ(parent.look(second).state, EntryState::kPosted);
  parent.release(first);
  EXPECT_EQ(parent.look(first).state, EntryState::kFree);
}

TEST(RequestQueue, never_hands_out_a_withdrawn_request) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  RequestQueue worker = fixture.view();
  ASSERT_EQ(parent.try_post(0), std::optional<std::uint64_t>(0));
  ASSERT_EQ(parent.try_post(1), std::optional<std::uint64_t>(1));
  ASSERT_EQ(parent.try_post(2), std::optional<std::uint64_t>(2));

  ASSERT_TRUE(parent.try_withdraw(1));

  EXPECT_EQ(parent.look(1).state, EntryState::kWithdrawn);
  EXPECT_EQ(worker.try_claim(0).value().ticket, 0U);
  EXPECT_EQ(worker.try_claim(0).value().ticket, 2U);
  EXPECT_FALSE(worker.has_posted());
}

TEST(RequestQueue, refuses_to_withdraw_what_was_claimed) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  const std::uint64_t ticket = parent.try_post(0).value();
  ASSERT_TRUE(fixture.view().try_claim(2).has_value());

  EXPECT_FALSE(parent.try_withdraw(ticket));
  EXPECT_EQ(parent.look(ticket).state, EntryState::kClaimed);
}

TEST(RequestQueue, finds_a_request_behind_laps_of_withdrawn_ones) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t ticket = parent.try_post(0).value();
    ASSERT_TRUE(parent.try_withdraw(ticket));
    parent.release(ticket);
  }

  EXPECT_EQ(fixture.head().load(), 1000U) << "the parent helps, since no worker came by";
  const std::uint64_t last = parent.try_post(5).value();
  EXPECT_EQ(fixture.view().try_claim(0).value().ticket, last);
}

TEST(RequestQueue, never_helps_the_hint_past_a_posted_request) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  RequestQueue worker = fixture.view();
  ASSERT_EQ(parent.try_post(0), std::optional<std::uint64_t>(0));
  ASSERT_EQ(parent.try_post(1), std::optional<std::uint64_t>(1));

  ASSERT_TRUE(parent.try_withdraw(1));

  EXPECT_EQ(fixture.head().load(), 0U);
  EXPECT_EQ(worker.try_claim(0).value().ticket, 0U);
}

TEST(RequestQueue, works_with_a_hint_that_nobody_moved) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  RequestQueue worker = fixture.view();
  for (std::uint64_t i = 0; i < 2 * std::uint64_t{kCapacity}; ++i) {
    ASSERT_TRUE(parent.try_post(0).has_value());
    ASSERT_EQ(worker.try_claim(0).value().ticket, i);
    parent.release(i);
    fixture.head().store(0);  // as if each claimer had died before helping
  }
  ASSERT_TRUE(parent.try_post(6).has_value());

  EXPECT_TRUE(worker.has_posted());
  EXPECT_EQ(worker.try_claim(0).value().slot, 6U);
  EXPECT_EQ(fixture.head().load(), 2U * kCapacity + 1);
}

TEST(RequestQueue, waits_for_the_oldest_place_also_when_later_ones_are_free) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  RequestQueue worker = fixture.view();
  for (std::uint32_t slot = 0; slot < kCapacity; ++slot) {
    ASSERT_TRUE(parent.try_post(slot).has_value());
    ASSERT_TRUE(worker.try_claim(0).has_value());
  }

  parent.release(2);
  parent.release(1);

  EXPECT_FALSE(parent.try_post(0).has_value());
  EXPECT_FALSE(worker.has_posted());
  parent.release(0);
  EXPECT_EQ(parent.try_post(0), std::optional<std::uint64_t>(kCapacity));
  EXPECT_EQ(worker.try_claim(0).value().ticket, kCapacity);
}

TEST(RequestQueue, ignores_a_release_of_a_ticket_that_is_not_in_use) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  const std::uint64_t ticket = parent.try_post(0).value();
  ASSERT_TRUE(parent.try_withdraw(ticket));
  parent.release(ticket);
  for (std::uint32_t slot = 0; slot < kCapacity; ++slot) {
    ASSERT_TRUE(parent.try_post(slot).has_value());
  }

  parent.release(ticket);

  EXPECT_EQ(parent.look(ticket + kCapacity).state, EntryState::kPosted);
}

TEST(RequestQueue, calls_a_word_broken_that_does_not_fit_the_ticket) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  const std::uint64_t ticket = parent.try_post(0).value();

  for (const std::uint64_t garbage : {~std::uint64_t{0},
                                      std::uint64_t{0},
                                      std::uint64_t{0xfe},
                                      (ticket + kCapacity) << 16 | 1,
                                      std::uint64_t{0x77} << 16}) {
    fixture.word(0).store(garbage);
    EXPECT_EQ(parent.look(ticket).state, EntryState::kBroken) << garbage;
  }
}

TEST(RequestQueue, keeps_its_books_out_of_the_reach_of_workers) {
  const QueueFixture fixture;
  RequestQueue parent = fixture.view();
  ASSERT_EQ(parent.try_post(0), std::optional<std::uint64_t>(0));

  fixture.head().store(~std::uint64_t{0});
  for (std::size_t place = 0; place < kCapacity; ++place) {
    fixture.word(place).store(std::uint64_t{17} << 16);
  }

  EXPECT_FALSE(parent.try_withdraw(0));
  for (std::uint64_t ticket = 1; ticket < kCapacity; ++ticket) {
    EXPECT_EQ(parent.try_post(1), std::optional(ticket));
  }
  EXPECT_FALSE(parent.try_post(1).has_value());
  EXPECT_TRUE(parent.try_withdraw(1));
}

}  // namespace
}  // namespace forklift::ipc
