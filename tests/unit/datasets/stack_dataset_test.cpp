// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>

#include <gtest/gtest.h>

#include "support/children.hpp"

#include <forklift/stack_dataset.hpp>

namespace forklift {
namespace {

using test_support::BulkRange;
using test_support::OpenedRange;
using test_support::RandomRange;
using test_support::Range;

using Pair = std::tuple<std::int64_t, std::int64_t>;

static_assert(MapDataset<StackDataset<Range>> && detail::HasPlainGet<const StackDataset<Range>>);
static_assert(!detail::HasBulkGet<StackDataset<Range, Range>> &&
              !detail::HasOpen<StackDataset<Range, Range>>);
static_assert(detail::HasBulkGet<const StackDataset<Range, BulkRange>>);
static_assert(detail::HasRandomGet<const StackDataset<BulkRange, RandomRange>> &&
              !detail::HasBulkGet<StackDataset<BulkRange, RandomRange>>);
static_assert(detail::HasOpen<StackDataset<Range, OpenedRange>>);
static_assert(std::is_same_v<SampleOf<StackDataset<Range, BulkRange>>, Pair>);

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
