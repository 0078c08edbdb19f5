// SPDX-License-Identifier: MIT
// Semantics 5.4.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/children.hpp"
#include "support/message_of.hpp"

#include <forklift/concat_dataset.hpp>
#include <forklift/error.hpp>
#include <forklift/map.hpp>
#include <forklift/subset.hpp>

namespace forklift {
namespace {

using test_support::all_of;
using test_support::BulkRange;
using test_support::Indices;
using test_support::message_of;
using test_support::OpenedRange;
using test_support::RandomRange;
using test_support::Range;
using test_support::ShortBulk;
using test_support::Values;

using Plain = ConcatDataset<Range, Range>;
using Mixed = ConcatDataset<Range, BulkRange>;
using WithRandom = ConcatDataset<Range, BulkRange, RandomRange>;
using WithOpened = ConcatDataset<Range, OpenedRange>;

static_assert(MapDataset<Plain> && detail::HasPlainGet<const Plain>);
static_assert(!detail::HasBulkGet<Plain> && !detail::HasOpen<Plain>);
static_assert(detail::HasBulkGet<const Mixed> && detail::HasPlainGet<const Mixed>);
static_assert(detail::HasRandomGet<const WithRandom> && !detail::HasPlainGet<WithRandom> &&
              !detail::HasBulkGet<WithRandom>);
static_assert(detail::HasOpen<WithOpened> && !detail::HasPlainGet<const WithOpened>);
static_assert(std::is_same_v<SampleOf<WithRandom>, std::int64_t>);

TEST(ConcatDataset, counts_negative_indices_from_the_end) {
  const ConcatDataset both(Range{.first = 0, .count = 5}, Range{.first = 5, .count = 5});
  const auto at = [&] { static_cast<void>(both.at(-11)); };

  EXPECT_EQ(both.at(0), 0);
  EXPECT_EQ(both.at(9), 9);
  EXPECT_EQ(both.at(-1), 9);
  EXPECT_EQ(both.at(-10), 0);
  EXPECT_EQ(message_of<InvalidOptions>(at),
            "absolute value of index should not exceed dataset length: index -11 of a "
            "ConcatDataset of 10 samples");
  EXPECT_THROW(static_cast<void>(both.at(INT64_MIN)), InvalidOptions);
}

TEST(ConcatDataset, is_made_of_a_list_of_one_type) {
  const ConcatDataset list(
      std::vector{Range{.first = 7, .count = 2}, Range{.count = 0}, Range{.first = 1, .count = 1}});

  EXPECT_EQ(all_of(list), (Values{7, 8, 1}));
  EXPECT_EQ(list.at(-1), 1);
}

TEST(ConcatDataset, refuses_an_empty_list) {
  const auto make = [] { ConcatDataset(std::vector<Range>{}); };

  EXPECT_EQ(message_of<InvalidOptions>(make),
            "datasets should not be an empty iterable: ConcatDataset got no dataset");
}

TEST(ConcatDataset, refuses_more_samples_than_can_be_counted) {
  EXPECT_THROW(ConcatDataset(Range{.count = SIZE_MAX}, Range{.count = 1}), InvalidOptions);
}

TEST(ConcatDataset, shares_datasets_that_come_as_pointers) {
  const auto one = std::make_shared<Range>(Range{.first = 3, .count = 2});
  const ConcatDataset mixed(one, Range{.count = 1});
  const ConcatDataset list(std::vector{one, one});

  EXPECT_EQ(all_of(mixed), (Values{3, 4, 0}));
  EXPECT_EQ(all_of(list), (Values{3, 4, 3, 4}));
  EXPECT_EQ(one.use_count(), 4);
}

TEST(ConcatDataset, asks_each_bulk_getter_once_and_keeps_the_order) {
  std::vector<Indices> first;
  std::vector<Indices> second;
  const ConcatDataset three(BulkRange(Range{.first = 0}, &first),
                            Range{.first = 100},
                            BulkRange(Range{.first = 200}, &second));

  EXPECT_EQ(three.get_batch(Indices{25, 1, 13, 0, 20, 10, 9}),
            (Values{205, 1, 103, 0, 200, 100, 9}));
  EXPECT_EQ(first, (std::vector<Indices>{{1, 0, 9}}));
  EXPECT_EQ(second, (std::vector<Indices>{{5, 0}}));
  EXPECT_TRUE(three.get_batch(Indices{}).empty());
  EXPECT_EQ(first.size(), 1U);
  EXPECT_EQ(three.get(21), 201);
}

TEST(ConcatDataset, refuses_a_short_bulk_result) {
  const ConcatDataset both(Range{}, ShortBulk(Range{}));
  const auto get = [&] { static_cast<void>(both.get_batch(Indices{0, 10, 1, 12})); };

  EXPECT_EQ(message_of<TensorError>(get),
            "Nested dataset's output size mismatch. Expected 2, got 1: get_batch must return one "
            "sample for each index");
  EXPECT_THROW(static_cast<void>(both.get_batch(Indices{20})), InvalidOptions);
}

TEST(ConcatDataset, hands_random_numbers_to_the_datasets_that_take_them) {
  ConcatDataset three(Range{}, BulkRange(Range{.first = 100}), RandomRange{.range = {}});
  SampleRng rng(1, 2, 3, 4);
  SampleRng same(1, 2, 3, 4);

  EXPECT_EQ(three.get(2, rng), 2);
  EXPECT_EQ(three.get(12, rng), 102);
  EXPECT_EQ(three.get(22, rng), 2 + RandomRange::draw(same));
}

TEST(ConcatDataset, opens_the_datasets_that_can_be_opened) {
  const auto shared = std::make_shared<OpenedRange>();
  ConcatDataset three(Range{.count = 1}, OpenedRange{.range = {.count = 1}}, shared);

  three.open({});

  EXPECT_EQ(three.get(1), 0);
  EXPECT_EQ(shared->opened, 1);
}

struct Texts {
  std::vector<std::string> texts;
  [[nodiscard]] std::size_t size() const { return texts.size(); }
  [[nodiscard]] const std::string& get(std::size_t index) const { return texts.at(index); }
};
struct MadeTexts {
  [[nodiscard]] static std::size_t size() { return 1; }
  [[nodiscard]] static std::string get(std::size_t /*index*/) { return "made"; }
};

TEST(ConcatDataset, copies_samples_only_where_one_dataset_makes_them) {
  const auto texts = std::make_shared<Texts>(Texts{{"a", "b"}});
  const ConcatDataset references(texts, texts);
  const ConcatDataset values(texts, MadeTexts{});

  EXPECT_EQ(&references.get(3), &texts->texts[1]);
  static_assert(std::is_same_v<decltype(values.get(0)), std::string>);
  EXPECT_EQ(values.get(1) + values.get(2), "bmade");
}

TEST(ConcatDataset, composes_with_the_others) {
  const auto tens = map(Range{}, [](std::int64_t value) { return 10 * value; });
  const Subset some(ConcatDataset(tens, Range{.first = 1000}), {1, 19});

  EXPECT_EQ(all_of(some), (Values{10, 1009}));
  EXPECT_EQ(all_of(ConcatDataset(some, Subset(tens, {9}))), (Values{10, 1009, 90}));
}

}  // namespace
}  // namespace forklift
