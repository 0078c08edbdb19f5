// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "children.hpp"
#include "support/message_of.hpp"

#include <forklift/error.hpp>
#include <forklift/map.hpp>
#include <forklift/stack_dataset.hpp>

namespace forklift {
namespace {

using test_support::BulkRange;
using test_support::Indices;
using test_support::message_of;
using test_support::OpenedRange;
using test_support::RandomRange;
using test_support::Range;
using test_support::ShortBulk;

using Pair = std::tuple<std::int64_t, std::int64_t>;

static_assert(MapDataset<StackDataset<Range>> && detail::HasPlainGet<const StackDataset<Range>>);
static_assert(!detail::HasBulkGet<StackDataset<Range, Range>> &&
              !detail::HasOpen<StackDataset<Range, Range>>);
static_assert(detail::HasBulkGet<const StackDataset<Range, BulkRange>>);
static_assert(detail::HasRandomGet<const StackDataset<BulkRange, RandomRange>> &&
              !detail::HasBulkGet<StackDataset<BulkRange, RandomRange>>);
static_assert(detail::HasOpen<StackDataset<Range, OpenedRange>>);
static_assert(std::is_same_v<SampleOf<StackDataset<Range, BulkRange>>, Pair>);

auto texts(std::size_t count) {
  return map(Range{.count = count}, [](std::int64_t value) { return std::to_string(value); });
}

TEST(StackDataset, len) {
  EXPECT_EQ(StackDataset(Range{.count = 15}, texts(15)).size(), 15U);
  EXPECT_EQ(StackDataset(Range{.count = 0}, Range{.count = 0}).size(), 0U);
}

TEST(StackDataset, single) {
  const StackDataset stack(Range{.first = 4});

  EXPECT_EQ(stack.get(2), std::tuple(std::int64_t{6}));
}

TEST(StackDataset, getitem) {
  const StackDataset stack(Range{.first = 100}, texts(10), Range{});

  EXPECT_EQ(stack.get(3), std::tuple(std::int64_t{103}, std::string("3"), std::int64_t{3}));
}

TEST(StackDataset, size_mismatch) {
  const auto make = [] { StackDataset(Range{.count = 9}, texts(9), Range{.count = 10}); };

  EXPECT_EQ(message_of<InvalidOptions>(make),
            "Size mismatch between datasets: number 0 has 9, number 2 has 10");
}

TEST(StackDataset, getitems) {
  std::vector<Indices> asked;
  const StackDataset stack(Range{.first = 100}, BulkRange(Range{}, &asked));

  EXPECT_EQ(stack.get_batch(Indices{5, 0}), (std::vector<Pair>{{105, 5}, {100, 0}}));
  EXPECT_EQ(asked, (std::vector<Indices>{{5, 0}}));
  EXPECT_EQ(stack.get(1), Pair(101, 1));
}

TEST(StackDataset, getitems_raises_index_error) {
  const StackDataset stack(Range{}, BulkRange(Range{}));

  // What a dataset throws passes through as it is.
  EXPECT_THROW(static_cast<void>(stack.get_batch(Indices{0, 10})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(stack.get(10)), std::out_of_range);
}

TEST(StackDataset, getitems_value_error) {
  const StackDataset stack(Range{}, ShortBulk(Range{}));
  const auto get = [&] { static_cast<void>(stack.get_batch(Indices{0, 1, 2, 3})); };

  EXPECT_EQ(message_of<TensorError>(get),
            "Nested dataset's output size mismatch. Expected 4, got 3: get_batch must return one "
            "sample for each index");
}

TEST(StackDataset, lets_the_datasets_draw_from_one_generator_in_their_order) {
  StackDataset stack(RandomRange{}, Range{}, BulkRange(Range{}), RandomRange{});
  SampleRng rng(1, 2, 3, 4);
  SampleRng same(1, 2, 3, 4);
  const std::int64_t first = RandomRange::draw(same);
  const std::int64_t second = RandomRange::draw(same);

  EXPECT_EQ(stack.get(1, rng), std::tuple(first + 1, std::int64_t{1}, std::int64_t{1}, second + 1));
}

TEST(StackDataset, opens_the_datasets_that_can_be_opened) {
  const auto shared = std::make_shared<OpenedRange>();
  StackDataset stack(shared, Range{}, OpenedRange{});

  stack.open({});

  EXPECT_EQ(shared->opened, 1);
  EXPECT_EQ(std::get<2>(stack.get(7)), 7);
}

}  // namespace
}  // namespace forklift
