// SPDX-License-Identifier: MIT
// Semantics 5.4.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "iterables.hpp"
#include "support/message_of.hpp"

#include <forklift/chain_dataset.hpp>
#include <forklift/error.hpp>
#include <forklift/map.hpp>

namespace forklift {
namespace {

using test_support::Counting;
using test_support::Kept;
using test_support::message_of;
using test_support::MoveOnly;
using test_support::Noted;
using test_support::pass_of;
using test_support::Throwing;
using test_support::Values;

using Plain = ChainDataset<Counting, Counting>;
static_assert(IterableDataset<Plain> && !MapDataset<Plain>);
static_assert(detail::HasSize<const Plain> && !detail::HasOpen<Plain>);
static_assert(!detail::HasSize<ChainDataset<Counting, Kept>>);
static_assert(detail::HasSize<ChainDataset<Counting, Noted>> &&
              !detail::HasSize<const ChainDataset<Counting, Noted>> &&
              detail::HasOpen<ChainDataset<Counting, Noted>>);

TEST(ChainDataset, gives_one_stream_after_the_other) {
  ChainDataset both(Counting{.count = 3}, Kept{{7, 8}});

  EXPECT_EQ(pass_of(both), (Values{0, 1, 2, 7, 8}));
  EXPECT_EQ(pass_of(both), (Values{0, 1, 2, 7, 8}));
}

TEST(ChainDataset, stays_at_its_end) {
  ChainDataset both(Counting{.count = 1}, Counting{.count = 0});
  auto stream = both.iterate({});

  EXPECT_EQ(stream.next(), 0);
  EXPECT_FALSE(stream.next().has_value());
  EXPECT_FALSE(stream.next().has_value());
}

TEST(ChainDataset, passes_over_empty_datasets) {
  EXPECT_EQ(pass_of(ChainDataset(Kept{}, Counting{.count = 0}, Counting{.count = 2}, Kept{})),
            (Values{0, 1}));
  EXPECT_EQ(pass_of(ChainDataset(Kept{}, Kept{})), Values{});
}

TEST(ChainDataset, is_made_of_a_list_of_one_type) {
  ChainDataset list(std::vector{Counting{.count = 2}, Counting{.count = 0}, Counting{.count = 1}});
  ChainDataset nothing(std::vector<Counting>{});

  EXPECT_EQ(pass_of(list), (Values{0, 1, 0}));
  EXPECT_EQ(list.size(), 3U);
  EXPECT_EQ(pass_of(nothing), Values{});
  EXPECT_EQ(nothing.size(), 0U);
}

TEST(ChainDataset, starts_each_stream_when_its_turn_comes) {
  const auto first = std::make_shared<Noted>(Noted{.samples = {.count = 1}});
  const auto second = std::make_shared<Noted>(Noted{.samples = {.count = 1}});
  ChainDataset both(first, second);
  const std::vector<std::size_t> once{5};

  // The information is copied: this one is gone before the second dataset is started.
  auto stream = both.iterate({.id = 5, .num_workers = 6, .seed = 0});
  EXPECT_TRUE(first->started_by.empty());
  EXPECT_EQ(stream.next(), 0);
  EXPECT_EQ(first->started_by, once);
  EXPECT_TRUE(second->started_by.empty());
  EXPECT_EQ(stream.next(), 0);
  EXPECT_EQ(second->started_by, once);
}

TEST(ChainDataset, is_as_long_as_all_together) {
  EXPECT_EQ(ChainDataset(Counting{.count = 20}, Noted{.samples = {.count = 15}}).size(), 35U);
}

TEST(ChainDataset, asks_for_sizes_each_time) {
  const auto growing = std::make_shared<Counting>(Counting{.count = 1});
  const ChainDataset both(growing, Counting{.count = 1});
  EXPECT_EQ(both.size(), 2U);

  growing->count = 5;

  EXPECT_EQ(both.size(), 6U);
}

TEST(ChainDataset, refuses_more_samples_than_can_be_counted) {
  const ChainDataset both(Counting{.count = SIZE_MAX}, Counting{.count = 1});
  const auto size = [&] { static_cast<void>(both.size()); };

  EXPECT_EQ(message_of<InvalidOptions>(size),
            "the sizes of the datasets sum up to more than 64 bits hold: 18446744073709551615 + 1");
}

TEST(ChainDataset, opens_the_datasets_that_can_be_opened) {
  const auto noted = std::make_shared<Noted>();
  ChainDataset three(Counting{}, noted, Kept{});

  three.open({.id = 2, .num_workers = 3, .seed = 0});

  EXPECT_EQ(noted->opened_by, std::vector<std::size_t>{2});
  EXPECT_TRUE(noted->started_by.empty());
}

TEST(ChainDataset, goes_on_behind_an_exception_of_next) {
  EXPECT_EQ(pass_of(ChainDataset(Throwing{.samples = {.count = 4}}, Counting{.count = 1})),
            (Values{0, 1, -1, 3, 0}));
}

TEST(ChainDataset, goes_on_with_the_next_dataset_behind_an_exception_of_a_range) {
  const auto inner_range = [] {
    return map(Kept{{1, 2, 3}}, [](std::int64_t value) {
      if (value == 2) {
        throw std::domain_error("value 2 is bad");
      }
      return value;
    });
  };
  EXPECT_EQ(pass_of(ChainDataset(inner_range(), Counting{.count = 2})), (Values{1, -1, 0, 1}));
}

struct BadStart {
  Counting::Stream iterate(const WorkerInfo& /*info*/) {
    ++tried;
    throw std::domain_error("no such stream");
  }
  int tried = 0;
};

TEST(ChainDataset, passes_over_a_dataset_that_cannot_start) {
  const auto bad = std::make_shared<BadStart>();

  EXPECT_EQ(pass_of(ChainDataset(Counting{.count = 2}, bad, Counting{.count = 1})),
            (Values{0, 1, -1, 0}));
  EXPECT_EQ(bad->tried, 1);
}

TEST(ChainDataset, moves_samples_that_cannot_be_copied) {
  ChainDataset both(MoveOnly{.samples = {.count = 1}}, MoveOnly{.samples = {.first = 5}});
  auto stream = both.iterate({});

  EXPECT_EQ(**stream.next(), 0);
  EXPECT_EQ(**stream.next(), 5);
}

TEST(ChainDataset, composes_with_the_others) {
  const auto negative = map(Counting{.count = 2}, [](std::int64_t value) { return -value - 1; });
  ChainDataset nested(ChainDataset(Counting{.count = 1}, negative), Kept{{9}});

  EXPECT_EQ(pass_of(map(nested, [](std::int64_t value) { return 10 * value; })),
            (Values{0, -10, -20, 90}));
}

}  // namespace
}  // namespace forklift
