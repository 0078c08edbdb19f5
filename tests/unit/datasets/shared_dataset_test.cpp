// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "support/children.hpp"
#include "support/message_of.hpp"

#include <forklift/error.hpp>
#include <forklift/map.hpp>
#include <forklift/shared_dataset.hpp>

namespace forklift {
namespace {

using test_support::BulkRange;
using test_support::OpenedRange;
using test_support::RandomRange;
using test_support::Range;

static_assert(detail::HasPlainGet<const SharedDataset<Range>>);
static_assert(!detail::HasBulkGet<SharedDataset<Range>> && !detail::HasOpen<SharedDataset<Range>>);
static_assert(detail::HasBulkGet<SharedDataset<BulkRange>> &&
              !detail::HasPlainGet<SharedDataset<BulkRange>>);
static_assert(detail::HasRandomGet<SharedDataset<RandomRange>>);
static_assert(detail::HasOpen<const SharedDataset<OpenedRange>>);
static_assert(MapDataset<SharedDataset<const Range>>);

TEST(SharedDataset, gives_access_to_one_dataset_by_all_of_its_copies) {
  SharedDataset first(std::make_shared<OpenedRange>());
  const SharedDataset second = first;  // NOLINT(performance-unnecessary-copy-initialization)

  second.open({});

  EXPECT_EQ(first->opened, 1);
  EXPECT_EQ(first.get(3), 3);
  EXPECT_EQ(second.size(), 10U);
}

TEST(SharedDataset, keeps_the_dataset_alive) {
  auto dataset = std::make_shared<Range>();
  const std::weak_ptr<Range> watch = dataset;
  {
    const SharedDataset shared(std::move(dataset));
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST(SharedDataset, refuses_a_null_pointer) {
  const auto make = [] { const SharedDataset shared{std::shared_ptr<Range>()}; };
  EXPECT_EQ(test_support::message_of<InvalidOptions>(make),
            "a null pointer was given instead of a dataset");
}

TEST(SharedDataset, is_what_map_makes_of_a_shared_pointer) {
  const auto dataset = std::make_shared<Range>();
  const auto mapped = map(dataset, [](std::int64_t value) { return value + 1; });

  EXPECT_EQ(mapped.get(4), 5);
  EXPECT_EQ(dataset.use_count(), 2);
}

}  // namespace
}  // namespace forklift
