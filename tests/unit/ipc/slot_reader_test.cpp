// SPDX-License-Identifier: MIT
// Headers as a broken worker may leave them: the reader stays inside the slot and throws a
// DataError.
#include "ipc/slot_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/ring_layout.hpp"
#include "rig.hpp"

#include <forklift/error.hpp>

namespace forklift::ipc {
namespace {

using test::private_plan;
using test::write_request;

/// A ring in whose slot 1 a batch of two rows, 8 meta bytes and 128 payload bytes stands.
class FilledRing {
 public:
  FilledRing() : ring_(private_plan(2, std::uint64_t{1} << 20)) {
    write_request(ring_, 1, {10, 20});
    header().kind = static_cast<std::uint32_t>(SlotKind::kBatch);
    header().meta_bytes = 8;
    header().payload_bytes = 128;
    std::fill_n(ring_.control_extent(1).data() + meta_offset(2), 8, std::byte{3});
  }
  [[nodiscard]] Ring& ring() { return ring_; }
  [[nodiscard]] SlotHeader& header() { return ring_.header(1); }
  [[nodiscard]] std::uint64_t extent() { return ring_.control_extent(1).size(); }
  [[nodiscard]] bool is_refused() {
    try {
      static_cast<void>(SlotReader(ring_).read(1));
    } catch (const DataError& error) {
      return error.file() == "slot 1 of the ring";
    }
    return false;
  }
  [[nodiscard]] bool error_is_refused() {
    try {
      static_cast<void>(SlotReader(ring_).read_error(1));
    } catch (const DataError& error) {
      return error.file() == "slot 1 of the ring";
    }
    return false;
  }

 private:
  Ring ring_;
};

TEST(SlotReader, copies_the_meta_data_out_of_the_slot) {
  FilledRing filled;
  SlotReader reader(filled.ring());
  const SlotContent content = reader.read(1);

  std::ranges::fill(filled.ring().control_extent(1), std::byte{0xFF});

  EXPECT_EQ(std::vector<std::byte>(content.meta.begin(), content.meta.end()),
            std::vector<std::byte>(8, std::byte{3}));
  EXPECT_EQ(content.payload_bytes, 128U);
}

TEST(SlotReader, shows_no_bytes_of_an_earlier_batch) {
  FilledRing filled;
  SlotReader reader(filled.ring());
  static_cast<void>(reader.read(1));
  filled.header().meta_bytes = 3;

  EXPECT_EQ(reader.read(1).meta.size(), 3U);
}

TEST(SlotReader, refuses_a_kind_that_is_neither_batch_nor_error_nor_end) {
  for (const std::uint32_t kind : {0U, 4U, UINT32_MAX}) {
    FilledRing filled;
    filled.header().kind = kind;
    EXPECT_TRUE(filled.is_refused()) << kind;
  }
}

TEST(SlotReader, refuses_meta_data_that_leaves_the_slot) {
  FilledRing filled;
  filled.header().meta_bytes = filled.extent() - meta_offset(2);
  EXPECT_FALSE(filled.is_refused());

  for (const std::uint64_t bytes :
       {filled.extent() - meta_offset(2) + 1, filled.extent(), UINT64_MAX}) {
    filled.header().meta_bytes = bytes;
    EXPECT_TRUE(filled.is_refused()) << bytes;
  }
}

TEST(SlotReader, refuses_more_indices_than_a_slot_holds) {
  FilledRing filled;
  for (const std::uint64_t rows :
       {filled.extent() / 8, UINT64_MAX / 8, UINT64_MAX / 8 + 1, UINT64_MAX}) {
    filled.header().rows_asked = rows;
    EXPECT_TRUE(filled.is_refused()) << rows;
  }
}

TEST(SlotReader, refuses_a_payload_that_leaves_the_slot) {
  FilledRing filled;
  const std::uint64_t extent = filled.ring().payload_extent(1).size();
  filled.header().payload_bytes = extent;
  EXPECT_FALSE(filled.is_refused());

  for (const std::uint64_t bytes : {extent + 1, UINT64_MAX}) {
    filled.header().payload_bytes = bytes;
    EXPECT_TRUE(filled.is_refused()) << bytes;
  }
}

TEST(SlotReader, refuses_an_error_that_leaves_the_slot) {
  FilledRing filled;
  filled.header().error_bytes = 1;
  for (const std::uint64_t offset : {filled.extent(), filled.extent() + 1, UINT64_MAX}) {
    filled.header().error_offset = offset;
    EXPECT_TRUE(filled.error_is_refused()) << offset;
  }
  filled.header().error_offset = 8;
  for (const std::uint64_t bytes : {filled.extent() - 7, UINT64_MAX, UINT64_MAX - 7}) {
    filled.header().error_bytes = bytes;
    EXPECT_TRUE(filled.error_is_refused()) << bytes;
  }
}

TEST(SlotReader, refuses_bytes_that_are_no_error) {
  FilledRing filled;
  filled.header().error_offset = meta_offset(2);
  for (const std::uint64_t bytes : {0U, 8U, 4096U}) {
    filled.header().error_bytes = bytes;
    EXPECT_TRUE(filled.error_is_refused()) << bytes;
  }
}

TEST(SlotReader, names_a_sample_in_progress_only_if_it_is_one_of_the_batch) {
  FilledRing filled;
  const SlotReader reader(filled.ring());
  filled.header().in_progress.store(1);
  EXPECT_EQ(reader.read_in_progress(1, 2), 1U);

  for (const std::uint64_t position : {std::uint64_t{2}, detail::kNoSample}) {
    filled.header().in_progress.store(position);
    EXPECT_FALSE(reader.read_in_progress(1, 2).has_value());
  }
}

TEST(SlotReader, reads_no_indices_behind_the_slot) {
  FilledRing filled;
  const SlotReader reader(filled.ring());

  EXPECT_EQ(reader.read_indices(1, 2), (std::vector<std::size_t>{10, 20}));
  EXPECT_EQ(reader.read_indices(1, UINT64_MAX).size(), (filled.extent() - sizeof(SlotHeader)) / 8);
}

}  // namespace
}  // namespace forklift::ipc
