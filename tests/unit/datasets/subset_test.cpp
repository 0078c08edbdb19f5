// SPDX-License-Identifier: MIT
// Semantics 5.4.
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/children.hpp"
#include "support/message_of.hpp"

#include <forklift/error.hpp>
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

static_assert(MapDataset<Subset<Range>> && detail::HasPlainGet<const Subset<Range>>);
static_assert(!detail::HasBulkGet<Subset<Range>> && !detail::HasOpen<Subset<Range>>);
static_assert(detail::HasBulkGet<const Subset<BulkRange>>);
static_assert(detail::HasRandomGet<const Subset<RandomRange>> &&
              !detail::HasPlainGet<Subset<RandomRange>>);
static_assert(detail::HasPlainGet<Subset<OpenedRange>> &&
              !detail::HasPlainGet<const Subset<OpenedRange>>);
static_assert(detail::HasOpen<Subset<std::shared_ptr<OpenedRange>>>);

TEST(Subset, gives_the_samples_that_the_list_names_in_its_order) {
  const Subset subset(Range{.first = 100}, {7, 0, 7});

  EXPECT_EQ(all_of(subset), (Values{107, 100, 107}));
  EXPECT_EQ(subset.indices(), (Indices{7, 0, 7}));
  EXPECT_EQ(subset.dataset().first, 100);
}

TEST(Subset, is_made_of_lists_and_ranges_of_any_integers) {
  const int runtime = 3;
  const std::vector<std::size_t> vector{1, 2};
  const std::vector<std::int16_t> narrow{9, 8};

  EXPECT_EQ(all_of(Subset(Range{}, {runtime, 4})), (Values{3, 4}));
  EXPECT_EQ(all_of(Subset(Range{}, vector)), (Values{1, 2}));
  EXPECT_EQ(all_of(Subset(Range{}, narrow)), (Values{9, 8}));
  EXPECT_EQ(all_of(Subset(Range{}, std::list<int>{4, 5, 6})), (Values{4, 5, 6}));
  EXPECT_EQ(Subset(Range{}, std::vector<std::size_t>()).size(), 0U);
}

TEST(Subset, refuses_an_index_that_the_dataset_does_not_have) {
  EXPECT_EQ(message_of<InvalidOptions>([] {
              Subset(Range{}, {0, 10, 11});
            }),
            "index 10 at position 1 of a Subset is out of range for a dataset of 10 samples");
  EXPECT_EQ(message_of<InvalidOptions>([] {
              Subset(Range{}, {0, 1, -1});
            }),
            "index -1 at position 2 of a Subset is out of range for a dataset of 10 samples");
  EXPECT_THROW(Subset(Range{.count = 0}, std::vector<std::size_t>{0}), InvalidOptions);
  EXPECT_THROW(Subset(Range{}, std::vector<std::size_t>{SIZE_MAX}), InvalidOptions);
}

TEST(Subset, refuses_a_position_that_it_does_not_have) {
  const Subset subset(Range{}, {1, 2});
  const auto get = [&] { static_cast<void>(subset.get(2)); };

  EXPECT_EQ(message_of<InvalidOptions>(get), "index 2 is out of range for a Subset of 2 samples");
}

TEST(Subset, asks_a_bulk_getter_once_with_its_own_indices) {
  std::vector<Indices> asked;
  const Subset subset(BulkRange(Range{.first = 100}, &asked), {9, 7, 5, 3});

  EXPECT_EQ(subset.get_batch(Indices{3, 0}), (Values{103, 109}));
  EXPECT_EQ(asked, (std::vector<Indices>{{3, 9}}));
  EXPECT_EQ(subset.get(1), 107);
  EXPECT_THROW(static_cast<void>(subset.get_batch(Indices{4})), InvalidOptions);
}

TEST(Subset, leaves_it_to_the_dataset_how_many_samples_a_batch_has) {
  const Subset subset(ShortBulk(Range{}), {9, 7, 5, 3});

  EXPECT_EQ(subset.get_batch(Indices{0, 1, 2}), (Values{9, 7}));
}

// Gives what it was asked for as it is: nothing of that lives longer than the call.
struct Lazy {
  [[nodiscard]] static std::size_t size() { return 10; }
  static std::span<const std::size_t> get_batch(std::span<const std::size_t> indices) {
    return indices;
  }
};

TEST(Subset, takes_a_batch_that_is_a_view_of_the_indices) {
  Subset subset(Lazy{}, {9, 7, 5, 3});

  EXPECT_EQ(subset.get_batch(Indices{2, 1}), (Indices{5, 7}));
}

TEST(Subset, hands_random_numbers_on) {
  Subset subset(RandomRange{}, {5, 4});
  SampleRng rng(1, 2, 3, 4);
  SampleRng same(1, 2, 3, 4);

  EXPECT_EQ(subset.get(1, rng), 4 + RandomRange::draw(same));
}

TEST(Subset, hands_open_on) {
  const auto dataset = std::make_shared<OpenedRange>();
  Subset subset(dataset, {2});

  subset.open({});

  EXPECT_EQ(dataset->opened, 1);
  EXPECT_EQ(subset.get(0), 2);
}

struct Texts {
  std::vector<std::string> texts;
  [[nodiscard]] std::size_t size() const { return texts.size(); }
  [[nodiscard]] const std::string& get(std::size_t index) const { return texts.at(index); }
};

TEST(Subset, copies_no_sample_that_the_dataset_gives_by_reference) {
  const Subset subset(Texts{{"a", "b"}}, {1});

  EXPECT_EQ(&subset.get(0), &subset.dataset().texts[1]);
}

TEST(Subset, holds_a_dataset_that_cannot_be_copied) {
  struct MoveOnly {
    std::unique_ptr<int> value;
    [[nodiscard]] static std::size_t size() { return 1; }
    [[nodiscard]] int get(std::size_t /*index*/) const { return *value; }
  };
  const Subset subset(MoveOnly{std::make_unique<int>(4)}, {0, 0});

  EXPECT_EQ(subset.get(1), 4);
}

}  // namespace
}  // namespace forklift
