// SPDX-License-Identifier: MIT
#include "ipc/slot_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/error_record.hpp"
#include "ipc/ring_layout.hpp"
#include "ipc/slot_reader.hpp"
#include "rig.hpp"
#include "sys/memory_budget.hpp"

#include <forklift/error.hpp>

namespace forklift::ipc {
namespace {

using detail::FillRequest;
using detail::SlotCursor;
using test::private_plan;
using test::ScriptedFetcher;
using test::write_request;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(SlotWriter, hands_the_request_in_the_slot_to_the_fetcher) {
  Ring ring(private_plan(3, kMiB));
  SlotWriter writer(ring);
  write_request(ring, 1, {10, 20, 30});
  ring.header(1).in_progress.store(2);  // as a worker left it that died
  bool was_called = false;
  ScriptedFetcher fetcher([&](const FillRequest& request, SlotCursor&) {
    was_called = true;
    EXPECT_TRUE(std::ranges::equal(request.indices, std::vector<std::uint64_t>{10, 20, 30}));
    EXPECT_EQ(request.epoch, 4U);
    EXPECT_EQ(request.seed, 5U);
    EXPECT_EQ(request.first_ordinal, 6U);
    EXPECT_TRUE(request.unique_indices);
    EXPECT_EQ(request.in_progress, &ring.header(1).in_progress);
    EXPECT_EQ(ring.header(1).in_progress.load(), detail::kNoSample);
    EXPECT_EQ(request.stop, &ring.control().stop);
  });

  writer.fill(1, fetcher);

  EXPECT_TRUE(was_called);
}

TEST(SlotWriter, leaves_in_the_header_what_the_fetcher_wrote) {
  Ring ring(private_plan(3, kMiB));
  SlotWriter writer(ring);
  SlotReader reader(ring);
  write_request(ring, 2, {1, 2});
  ScriptedFetcher fetcher([](const FillRequest&, SlotCursor& out) {
    const std::uint64_t offset = out.allocate(100);
    std::fill_n(out.at(offset), 100, std::byte{9});
    out.put(std::uint32_t{77});
  });

  writer.fill(2, fetcher);
  const SlotContent content = reader.read(2);

  EXPECT_EQ(content.kind, SlotKind::kBatch);
  EXPECT_EQ(content.payload_bytes, 100U);
  ASSERT_EQ(content.meta.size(), 4U);
  EXPECT_EQ(content.meta[0], std::byte{77});
  EXPECT_EQ(ring.payload_extent(2)[99], std::byte{9});
  EXPECT_EQ(ring.header(2).rows_filled, 2U);
  // Meta data begins behind the indices.
  EXPECT_EQ(reader.read_indices(2, 2), (std::vector<std::size_t>{1, 2}));
}

TEST(SlotWriter, holds_a_batch_with_its_indices_to_the_share_of_its_slot) {
  Ring ring(private_plan(3, kMiB));
  SlotWriter writer(ring);
  write_request(ring, 0, {1, 2});
  const std::uint64_t room = kMiB - meta_offset(2);
  ScriptedFetcher fits(
      [&](const FillRequest&, SlotCursor& out) { static_cast<void>(out.allocate(room)); });
  ScriptedFetcher too_large(
      [&](const FillRequest&, SlotCursor& out) { static_cast<void>(out.allocate(room + 1)); });

  writer.fill(0, fits);
  EXPECT_EQ(ring.header(0).payload_bytes, room);
  EXPECT_THROW(writer.fill(0, too_large), ResourceError);
}

TEST(SlotWriter, asks_for_memory_in_steps_and_only_when_a_slot_grows) {
  Ring ring(private_plan(2, 16 * kMiB));
  SlotWriter writer(ring);
  std::uint64_t bytes = 1;
  ScriptedFetcher fetcher(
      [&](const FillRequest&, SlotCursor& out) { static_cast<void>(out.allocate(bytes)); });
  const auto granted_after = [&](std::uint64_t batch) {
    bytes = batch;
    write_request(ring, 1, {1});
    writer.fill(1, fetcher);
    return ring.header(1).granted_bytes;
  };

  EXPECT_EQ(granted_after(0), 0U);
  EXPECT_EQ(granted_after(1), 2 * kMiB);
  EXPECT_EQ(granted_after(2 * kMiB), 2 * kMiB);
  EXPECT_EQ(granted_after(5 * kMiB), 6 * kMiB);
  EXPECT_EQ(granted_after(1), 6 * kMiB);
  EXPECT_EQ(ring.header(0).granted_bytes, 0U);
}

TEST(SlotWriter, refuses_a_batch_that_the_machine_has_no_memory_for) {
  const std::uint64_t more_than_there_is = sys::available_memory().bytes + 64 * kMiB;
  Ring ring(private_plan(1, 2 * more_than_there_is));
  SlotWriter writer(ring);
  write_request(ring, 0, {1});
  // Nothing is written to the pages: the refusal comes first.
  ScriptedFetcher fetcher([&](const FillRequest&, SlotCursor& out) {
    static_cast<void>(out.allocate(2 * more_than_there_is - 4096));
  });

  try {
    writer.fill(0, fetcher);
    FAIL() << "no error";
  } catch (const ResourceError& error) {
    EXPECT_GT(error.needed(), error.available());
    EXPECT_NE(error.knob().find("max_ring_bytes"), std::string::npos);
  }
  EXPECT_EQ(ring.header(0).granted_bytes, 0U);
}

TEST(SlotWriter, puts_an_error_in_the_place_of_the_batch_with_its_sample) {
  Ring ring(private_plan(2, kMiB));
  SlotWriter writer(ring);
  SlotReader reader(ring);
  write_request(ring, 1, {10, 20, 30});
  ring.header(1).in_progress.store(2);
  ErrorRecord record;
  record.type = "int";
  record.message = "m";

  writer.fail(1, record);

  EXPECT_EQ(reader.read(1).kind, SlotKind::kError);
  record.position = 2;
  EXPECT_EQ(reader.read_error(1), record);
  EXPECT_EQ(ring.header(1).in_progress.load(), detail::kNoSample);
  EXPECT_EQ(reader.read_indices(1, 3), (std::vector<std::size_t>{10, 20, 30}));
}

TEST(SlotWriter, names_no_sample_when_none_was_in_progress) {
  Ring ring(private_plan(2, kMiB));
  SlotWriter writer(ring);
  write_request(ring, 0, {1});

  writer.fail(0, {});

  EXPECT_FALSE(SlotReader(ring).read_error(0).position.has_value());
}

TEST(SlotWriter, has_room_for_an_error_behind_the_most_indices) {
  // The share is the whole extent here: nothing lies behind it.
  Ring ring(private_plan(2, 2 * kMiB));
  ASSERT_EQ(ring.control_extent(0).size(), ring.slot_budget());
  SlotWriter writer(ring);
  const std::uint64_t most =
      (ring.slot_budget() - meta_offset(0) - kErrorRoom) / sizeof(std::uint64_t);
  write_request(ring, 0, std::vector<std::uint64_t>(static_cast<std::size_t>(most), 1));
  ErrorRecord record;
  record.message = std::string(50'000, 'm');
  record.type = record.stage = record.object = record.knob = std::string(1024, 't');

  writer.fail(0, record);
  const ErrorRecord read = SlotReader(ring).read_error(0);

  EXPECT_EQ(read.type, record.type);
  EXPECT_TRUE(read.message.starts_with("mmmm")) << read.message;
}

}  // namespace
}  // namespace forklift::ipc
