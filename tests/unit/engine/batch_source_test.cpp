// SPDX-License-Identifier: MIT
// Semantics 1.2 and 3.3.
#include "engine/batch_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/ring_layout.hpp"

#include <forklift/batch_sampler.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/error.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/sampler.hpp>

namespace forklift::engine {
namespace {

using Lists = std::vector<std::vector<std::size_t>>;

LoaderState loader_with(AnyBatchSampler batches) {
  LoaderState loader;
  loader.plan.options.batches = std::move(batches);
  return loader;
}

ipc::RingPlan plan(std::uint64_t slot_bytes) {
  return {.num_workers = 0, .num_slots = 3, .queue_capacity = 4, .max_bytes = slot_bytes * 3};
}

struct ThrowsAtTwo {
  struct Cursor {
    std::size_t index = 0;
    std::optional<std::size_t> next() {
      if (index == 2) {
        throw std::runtime_error("no third index");
      }
      return index++;
    }
  };
  [[nodiscard]] static Cursor iterate() { return {}; }
};

TEST(BatchSource, writes_each_batch_as_a_request) {
  const LoaderState loader = loader_with(Lists{{7, 8, 9}, {4, 5}});
  PassStart start;
  start.epoch = 3;
  start.sample_seed = 11;
  BatchSource source(loader, start);
  ipc::Ring ring(plan(std::uint64_t{1} << 20));
  ASSERT_TRUE(source.next() && source.next());

  EXPECT_EQ(source.write(ring, 1), nullptr);

  const ipc::SlotHeader& header = ring.header(1);
  EXPECT_EQ(source.rows(), 2U);
  EXPECT_EQ(header.sequence, 1U);
  EXPECT_EQ(header.epoch, 3U);
  EXPECT_EQ(header.seed, 11U);
  EXPECT_EQ(header.first_ordinal, 3U);
  EXPECT_EQ(header.flags, 0U);
  EXPECT_EQ(header.rows_asked, 2U);
  EXPECT_EQ(ring.indices(1)[0], 4U);
  EXPECT_EQ(ring.indices(1)[1], 5U);
}

TEST(BatchSource, says_where_no_index_comes_twice) {
  const LoaderState unique = loader_with(BatchSampler(SequentialSampler(4), 2, false));
  const LoaderState repeating =
      loader_with(BatchSampler(RandomSampler(4, {.replacement = true}), 2, false));
  ipc::Ring ring(plan(std::uint64_t{1} << 20));
  BatchSource first(unique, PassStart());
  BatchSource second(repeating, PassStart());
  ASSERT_TRUE(first.next() && second.next());

  EXPECT_EQ(first.write(ring, 0), nullptr);
  EXPECT_EQ(second.write(ring, 1), nullptr);

  EXPECT_EQ(ring.header(0).flags, ipc::request_flag::kUniqueIndices);
  EXPECT_EQ(ring.header(1).flags, 0U);
}

TEST(BatchSource, asks_a_stream_for_samples_without_end) {
  LoaderState loader;
  loader.plan.options.is_iterable = true;
  loader.plan.options.batch_size = 6;
  loader.plan.options.drop_last = true;
  PassStart start;
  start.pass = 9;
  BatchSource source(loader, start);
  ipc::Ring ring(plan(std::uint64_t{1} << 20));
  for (int batch = 0; batch < 100; ++batch) {
    ASSERT_TRUE(source.next());
  }

  EXPECT_EQ(source.write(ring, 0), nullptr);

  const ipc::SlotHeader& header = ring.header(0);
  EXPECT_EQ(header.flags, ipc::request_flag::kStream | ipc::request_flag::kDropLast);
  EXPECT_EQ(header.pass, 9U);
  EXPECT_EQ(header.sequence, 99U);
  EXPECT_EQ(header.rows_asked, 0U);
  EXPECT_EQ(header.stream_rows, 6U);
  EXPECT_EQ(source.most_samples(), 6U);
}

TEST(BatchSource, stays_at_its_end) {
  const LoaderState loader = loader_with(Lists{{1}});
  BatchSource source(loader, PassStart());

  EXPECT_TRUE(source.next());
  EXPECT_FALSE(source.next());
  EXPECT_FALSE(source.next());
  EXPECT_EQ(source.take_error(), nullptr);
}

TEST(BatchSource, keeps_the_exception_of_the_sampler_for_later_and_once) {
  const LoaderState loader = loader_with(BatchSampler(ThrowsAtTwo(), 1, false));
  BatchSource source(loader, PassStart());

  EXPECT_TRUE(source.next() && source.next());
  EXPECT_FALSE(source.next());
  EXPECT_FALSE(source.next());

  const auto error = source.take_error();
  ASSERT_NE(error, nullptr);
  EXPECT_THROW(std::rethrow_exception(error), std::runtime_error);
  EXPECT_EQ(source.take_error(), nullptr);
}

TEST(BatchSource, refuses_more_indices_than_a_slot_holds_with_an_error_behind_them) {
  constexpr std::uint64_t kShare = 65536;
  const std::uint64_t most =
      (kShare - ipc::meta_offset(0) - ipc::kErrorRoom) / sizeof(std::uint64_t);
  const std::vector<std::size_t> fits(static_cast<std::size_t>(most));
  const std::vector<std::size_t> one_more(static_cast<std::size_t>(most) + 1);
  const LoaderState loader = loader_with(Lists{fits, one_more});
  BatchSource source(loader, PassStart());
  ipc::Ring ring(plan(kShare));

  ASSERT_TRUE(source.next());
  EXPECT_EQ(source.write(ring, 0), nullptr);
  ASSERT_TRUE(source.next());
  ring.header(1).rows_asked = 77;
  const auto error = source.write(ring, 1);

  ASSERT_NE(error, nullptr);
  EXPECT_EQ(ring.header(1).rows_asked, 77U);
  try {
    std::rethrow_exception(error);
  } catch (const ResourceError& refused) {
    EXPECT_EQ(refused.available(), kShare);
    EXPECT_GT(refused.needed(), kShare);
    EXPECT_NE(refused.knob().find("max_ring_bytes"), std::string::npos);
  }
}

}  // namespace
}  // namespace forklift::engine
