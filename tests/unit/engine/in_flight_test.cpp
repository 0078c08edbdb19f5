// SPDX-License-Identifier: MIT
// Semantics 3.5, 3.6 and 6.1.
#include "engine/in_flight.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/completion_ring.hpp"

namespace forklift::engine {
namespace {

constexpr bool kInOrder = true;
constexpr bool kAsTheyCome = false;

Request posted(std::uint64_t sequence, std::uint32_t worker, std::uint64_t ticket) {
  Request request;
  request.state = Request::State::kPosted;
  request.turn = sequence;
  request.sequence = sequence;
  request.worker = worker;
  request.ticket = ticket;
  return request;
}

Request failed(std::uint64_t sequence) {
  Request request;
  request.state = Request::State::kFailed;
  request.turn = sequence;
  request.sequence = sequence;
  request.error = std::make_exception_ptr(std::runtime_error("no"));
  return request;
}

ipc::Completion completion(std::uint64_t ticket, std::uint32_t slot) {
  return {.ticket = ticket, .slot = slot, .kind = 1};
}

TEST(InFlight, holds_a_later_batch_until_its_turn) {
  InFlight book(4, 2, kInOrder);
  book.add(2, posted(0, 0, 10));
  book.add(1, posted(1, 1, 20));

  EXPECT_TRUE(book.complete(1, completion(20, 1)));
  EXPECT_FALSE(book.ready(0).has_value());
  EXPECT_TRUE(book.complete(0, completion(10, 2)));

  EXPECT_EQ(book.ready(0), 2U);
  EXPECT_EQ(book.ready(1), 1U);
}

TEST(InFlight, gives_batches_as_they_come_if_asked_to) {
  InFlight book(4, 2, kAsTheyCome);
  book.add(2, posted(0, 0, 10));
  book.add(1, posted(1, 1, 20));
  EXPECT_FALSE(book.ready(0).has_value());

  EXPECT_TRUE(book.complete(1, completion(20, 1)));
  EXPECT_TRUE(book.complete(0, completion(10, 2)));

  EXPECT_EQ(book.ready(0), 1U);
  EXPECT_EQ(book.remove(1).sequence, 1U);
  EXPECT_EQ(book.ready(0), 2U);
}

TEST(InFlight, has_a_failed_request_ready_at_its_place) {
  InFlight in_order(4, 2, kInOrder);
  InFlight as_they_come(4, 2, kAsTheyCome);
  in_order.add(3, failed(0));
  as_they_come.add(3, failed(0));

  EXPECT_EQ(in_order.ready(0), 3U);
  EXPECT_EQ(as_they_come.ready(0), 3U);
  EXPECT_NE(in_order.remove(3).error, nullptr);
  EXPECT_FALSE(in_order.ready(0).has_value());
}

TEST(InFlight, believes_no_completion_that_it_did_not_ask_for) {
  InFlight book(4, 2, kInOrder);
  book.add(2, posted(0, 1, 10));

  EXPECT_FALSE(book.complete(1, completion(11, 2)));  // another ticket
  EXPECT_FALSE(book.complete(0, completion(10, 2)));  // another worker
  EXPECT_FALSE(book.complete(1, completion(10, 1)));  // another slot
  EXPECT_FALSE(book.complete(1, completion(10, 4)));  // no slot of the ring
  EXPECT_FALSE(book.complete(1, completion(10, UINT32_MAX)));
  EXPECT_FALSE(book.ready(0).has_value());
  EXPECT_TRUE(book.complete(1, completion(10, 2)));
}

TEST(InFlight, believes_a_completion_once) {
  InFlight book(4, 2, kAsTheyCome);
  book.add(2, posted(0, 1, 10));
  EXPECT_TRUE(book.complete(1, completion(10, 2)));
  EXPECT_FALSE(book.complete(1, completion(10, 2)));

  static_cast<void>(book.remove(2));
  EXPECT_FALSE(book.complete(1, completion(10, 2)));
  EXPECT_FALSE(book.ready(0).has_value());
}

TEST(InFlight, believes_nothing_of_a_slot_that_is_not_in_use) {
  InFlight book(4, 2, kInOrder);
  // Worker 0 and ticket 0 are what an unused entry holds.
  EXPECT_FALSE(book.complete(0, completion(0, 0)));
  EXPECT_FALSE(book.ready(0).has_value());
}

TEST(InFlight, does_not_take_an_earlier_batch_for_one_a_lap_later) {
  InFlight book(4, 2, kInOrder);
  book.add(1, posted(3, 0, 10));
  ASSERT_TRUE(book.complete(0, completion(10, 1)));

  EXPECT_EQ(book.ready(3), 1U);
  EXPECT_FALSE(book.ready(7).has_value());
}

TEST(InFlight, gives_the_slots_of_abandoned_requests_back_when_they_are_done) {
  InFlight book(4, 2, kInOrder);
  book.add(2, posted(0, 1, 10));
  book.abandon(2);
  EXPECT_TRUE(book.has_abandoned());
  EXPECT_TRUE(book.take_finished_abandoned().empty());

  EXPECT_TRUE(book.complete(1, completion(10, 2)));

  EXPECT_FALSE(book.has_abandoned());
  EXPECT_FALSE(book.ready(0).has_value());
  EXPECT_EQ(book.take_finished_abandoned(), (std::vector<std::uint32_t>{2}));
  EXPECT_TRUE(book.take_finished_abandoned().empty());
}

TEST(InFlight, keeps_abandoned_requests_over_the_start_of_a_pass) {
  InFlight book(4, 2, kAsTheyCome);
  book.add(2, posted(5, 1, 10));
  book.abandon(2);
  book.start_pass();
  book.add(0, posted(0, 1, 11));

  EXPECT_TRUE(book.complete(1, completion(10, 2)));
  EXPECT_FALSE(book.ready(0).has_value());
  EXPECT_TRUE(book.complete(1, completion(11, 0)));
  EXPECT_EQ(book.ready(0), 0U);
}

TEST(InFlight, takes_no_abandoned_request_of_the_same_number_for_a_new_one) {
  InFlight book(4, 2, kInOrder);
  book.add(2, posted(0, 1, 10));
  book.abandon(2);
  book.start_pass();

  EXPECT_FALSE(book.ready(0).has_value());
  book.add(3, posted(0, 0, 4));
  EXPECT_EQ(book.slot_of(0), 3U);
  EXPECT_TRUE(book.complete(0, completion(4, 3)));
  EXPECT_EQ(book.ready(0), 3U);
}

Request stream_request(std::uint64_t sequence, std::uint32_t worker, std::uint64_t ticket) {
  Request request = posted(sequence, worker, ticket);
  request.samples = 2;
  return request;
}

ipc::Completion exhausted(std::uint64_t ticket, std::uint32_t slot) {
  return {.ticket = ticket, .slot = slot, .kind = 3};
}

TEST(InFlight, passes_over_what_a_worker_at_its_end_was_asked) {
  InFlight book(4, 2, kInOrder);
  book.add(2, stream_request(0, 0, 1));
  book.add(3, stream_request(1, 1, 1));

  EXPECT_TRUE(book.complete(0, exhausted(1, 2)));

  EXPECT_TRUE(book.has_exhausted());
  EXPECT_FALSE(book.ready(0).has_value());
  EXPECT_FALSE(book.is_passed_over(0));
  Request request;
  EXPECT_EQ(book.take_exhausted(request), 2U);
  EXPECT_EQ(request.sequence, 0U);
  EXPECT_FALSE(book.has_exhausted());
  EXPECT_EQ(book.take_exhausted(request), std::nullopt);
  EXPECT_TRUE(book.is_passed_over(0));
  EXPECT_FALSE(book.is_passed_over(1));
}

TEST(InFlight, keeps_what_is_passed_over_apart_from_later_requests_in_the_same_slots) {
  InFlight book(2, 2, kInOrder);
  Request request;
  book.add(0, stream_request(0, 0, 1));  // the slow one
  book.add(1, stream_request(1, 1, 1));
  EXPECT_TRUE(book.complete(1, exhausted(1, 1)));
  EXPECT_EQ(book.take_exhausted(request), 1U);
  book.add(1, stream_request(2, 0, 2));  // in its place
  EXPECT_TRUE(book.complete(0, completion(2, 1)));

  EXPECT_FALSE(book.ready(0).has_value());
  EXPECT_TRUE(book.is_passed_over(1));
  EXPECT_EQ(book.ready(2), 1U);
  EXPECT_TRUE(book.complete(0, completion(1, 0)));
  EXPECT_EQ(book.ready(0), 0U);
}

TEST(InFlight, believes_no_end_of_what_has_a_number_of_batches) {
  InFlight book(4, 2, kInOrder);
  Request request = posted(0, 0, 1);
  request.rows = 2;
  request.samples = 2;
  book.add(0, request);

  EXPECT_FALSE(book.complete(0, exhausted(1, 0)));
}

}  // namespace
}  // namespace forklift::engine
