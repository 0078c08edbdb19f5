// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "fake_slot.hpp"

#include <forklift/batch_writer.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift {
namespace {

using detail::SlotCursor;
using test::FakeSlot;

/// The ResourceError that `body` throws.
template <class Body>
ResourceError resource_error_of(Body&& body) {
  try {
    body();
  } catch (const ResourceError& error) {
    return error;
  }
  ADD_FAILURE() << "no ResourceError";
  return {"nothing", 0, 0, "nothing"};
}

TEST(SlotCursor, gives_aligned_room_one_after_the_other) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());

  EXPECT_EQ(cursor.allocate(1), 0U);
  EXPECT_EQ(cursor.allocate(64), 64U);
  EXPECT_EQ(cursor.allocate(0), 128U);
  EXPECT_EQ(cursor.allocate(65), 128U);
  EXPECT_EQ(cursor.payload_used(), 193U);
  EXPECT_EQ(cursor.at(128), slot.payload().data() + 128);
}

TEST(SlotCursor, fills_its_budget_to_the_last_byte) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory(256));
  const std::uint64_t number = 1;

  EXPECT_EQ(cursor.allocate(248), 0U);
  cursor.put(number);
  EXPECT_THROW(cursor.put(std::uint8_t{1}), ResourceError);
  EXPECT_EQ(cursor.meta_used(), 8U);
}

TEST(SlotCursor, says_how_much_a_batch_needs_and_what_to_change) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory(1000));
  cursor.put(std::uint32_t{1});

  const auto error = resource_error_of([&] { static_cast<void>(cursor.allocate(997)); });

  EXPECT_EQ(error.needed(), 1001U);
  EXPECT_EQ(error.available(), 1000U);
  EXPECT_NE(error.knob().find("max_ring_bytes"), std::string::npos);
  EXPECT_EQ(cursor.payload_used(), 0U);
}

TEST(SlotCursor, does_not_wrap_around_at_sizes_near_64_bits) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  cursor.put(std::uint64_t{1});
  static_cast<void>(cursor.allocate(10));

  for (const std::uint64_t bytes : {UINT64_MAX, UINT64_MAX - 63, UINT64_MAX - 64}) {
    EXPECT_THROW(static_cast<void>(cursor.allocate(bytes)), ResourceError) << bytes;
  }
  EXPECT_EQ(cursor.payload_used(), 10U);
}

TEST(SlotCursor, stays_inside_its_areas_whatever_the_budget) {
  FakeSlot slot(16, 128);
  SlotCursor cursor(slot.memory());
  const std::vector<std::byte> bytes(17);

  EXPECT_THROW(cursor.put_bytes(bytes.data(), bytes.size()), ResourceError);
  EXPECT_THROW(static_cast<void>(cursor.allocate(129)), ResourceError);
  cursor.put_bytes(nullptr, 0);
  cursor.put_bytes(bytes.data(), 16);
  EXPECT_EQ(cursor.allocate(128), 0U);
}

TEST(SlotCursor, asks_for_pages_before_they_are_written_and_only_once) {
  FakeSlot slot;
  std::vector<std::uint64_t> asked;
  auto memory = slot.memory();
  memory.context = &asked;
  memory.ensure = [](void* context, std::uint64_t end) {
    static_cast<std::vector<std::uint64_t>*>(context)->push_back(end);
  };
  SlotCursor cursor(memory);

  static_cast<void>(cursor.allocate(100));
  static_cast<void>(cursor.allocate(100));
  cursor.rewind();
  static_cast<void>(cursor.allocate(150));
  static_cast<void>(cursor.allocate(200));

  EXPECT_EQ(asked, (std::vector<std::uint64_t>{100, 228, 392}));
}

TEST(SlotCursor, gives_nothing_when_the_pages_are_refused) {
  FakeSlot slot;
  auto memory = slot.memory();
  memory.ensure = [](void*, std::uint64_t) { throw ResourceError("pages", 1, 0, "memory"); };
  SlotCursor cursor(memory);

  EXPECT_THROW(static_cast<void>(cursor.allocate(1)), ResourceError);
  EXPECT_EQ(cursor.payload_used(), 0U);
}

TEST(SlotCursor, knows_which_elements_it_holds) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  static_cast<void>(cursor.allocate(200));
  const std::byte* first = slot.payload().data();

  EXPECT_TRUE(cursor.holds(first, 200));
  EXPECT_TRUE(cursor.holds(first + 64, 136));
  EXPECT_FALSE(cursor.holds(first, 201));
  EXPECT_FALSE(cursor.holds(first + 64, UINT64_MAX));
  EXPECT_FALSE(cursor.holds(first + 8, 8));  // not aligned as every tensor of a slot is
  EXPECT_FALSE(cursor.holds(first - 64, 8));
  EXPECT_FALSE(cursor.holds(nullptr, 0));
}

TEST(SlotCursor, forgets_what_was_written_when_rewound) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  static_cast<void>(cursor.allocate(200));
  cursor.put(1);

  cursor.rewind();

  EXPECT_EQ(cursor.meta_used(), 0U);
  EXPECT_EQ(cursor.payload_used(), 0U);
  EXPECT_EQ(cursor.allocate(1), 0U);
}

TEST(BatchWriter, makes_tensors_in_the_slot) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  BatchWriter writer(cursor);

  const Tensor empty = writer.empty({3}, DType::u8);
  const Tensor zeros = writer.zeros({2, 2});

  EXPECT_EQ(empty.bytes().data(), slot.payload().data());
  EXPECT_EQ(empty.data<std::uint8_t>()[0], 0xA5);
  EXPECT_EQ(zeros.bytes().data(), slot.payload().data() + 64);
  EXPECT_EQ(test::values<float>(zeros), (std::vector<float>{0, 0, 0, 0}));
}

TEST(BatchWriter, refuses_a_tensor_that_does_not_fit) {
  FakeSlot slot(64, 1024);
  SlotCursor cursor(slot.memory());
  BatchWriter writer(cursor);

  EXPECT_THROW(static_cast<void>(writer.empty({1025}, DType::u8)), ResourceError);
  EXPECT_THROW(static_cast<void>(writer.empty({INT64_MAX}, DType::f64)), ResourceError);
  EXPECT_EQ(writer.empty({1024}, DType::u8).num_bytes(), 1024U);
}

}  // namespace
}  // namespace forklift
