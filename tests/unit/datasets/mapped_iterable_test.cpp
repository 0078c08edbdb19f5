// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "iterables.hpp"

#include <forklift/map.hpp>

namespace forklift {
namespace {

using test_support::Counting;
using test_support::Kept;
using test_support::MoveOnly;
using test_support::Noted;
using test_support::pass_of;
using test_support::Throwing;
using test_support::Values;

std::int64_t tenfold(std::int64_t value) {
  return 10 * value;
}
std::int64_t throws_at_2(std::int64_t value) {
  if (value == 2) {
    throw std::domain_error("value 2 is bad");
  }
  return value;
}

template <class D>
using Tenfold = MappedIterable<D, decltype(&tenfold)>;
static_assert(IterableDataset<Tenfold<Counting>> && !MapDataset<Tenfold<Counting>>);
static_assert(detail::HasSize<const Tenfold<Counting>> && !detail::HasOpen<Tenfold<Counting>>);
static_assert(!detail::HasSize<Tenfold<Kept>>);
static_assert(detail::HasSize<Tenfold<Noted>> && !detail::HasSize<const Tenfold<Noted>> &&
              detail::HasOpen<Tenfold<Noted>>);

TEST(MappedIterable, transforms_each_sample_of_either_kind_of_stream) {
  EXPECT_EQ(pass_of(map(Counting{.count = 3}, tenfold)), (Values{0, 10, 20}));
  EXPECT_EQ(pass_of(map(Kept{{5, 6}}, tenfold)), (Values{50, 60}));
  EXPECT_EQ(pass_of(map(Kept{}, tenfold)), Values{});
}

TEST(MappedIterable, gives_the_samples_that_the_transform_returns) {
  auto texts = map(Counting{}, [](std::int64_t value) { return std::to_string(value); });
  static_assert(std::is_same_v<SampleOf<decltype(texts)>, std::string>);
  const WorkerInfo info;
  auto stream = texts.iterate(info);

  EXPECT_EQ(stream.next(), "0");
}

TEST(MappedIterable, composes_and_begins_anew) {
  auto twice =
      map(map(Counting{.count = 2}, tenfold), [](std::int64_t value) { return value + 1; });

  EXPECT_EQ(pass_of(twice), (Values{1, 11}));
  EXPECT_EQ(pass_of(twice), (Values{1, 11}));
}

TEST(MappedIterable, carries_size_and_open_through) {
  const auto noted = std::make_shared<Noted>();
  auto mapped = map(noted, tenfold);

  mapped.open({.id = 3, .num_workers = 4, .seed = 0});

  EXPECT_EQ(mapped.size(), 10U);
  EXPECT_EQ(noted->opened_by, std::vector<std::size_t>{3});
  EXPECT_EQ(map(Noted{.samples = {.count = 4}}, tenfold).size(), 4U);
}

TEST(MappedIterable, moves_samples_into_a_transform_that_changes) {
  const auto sum_up = [sum = std::int64_t{0}](MoveOnly::Sample sample) mutable {
    return sum += *sample;
  };

  EXPECT_EQ(pass_of(map(MoveOnly{.samples = {.first = 1, .count = 3}}, sum_up)), (Values{1, 3, 6}));
}

TEST(MappedIterable, goes_on_behind_an_exception_where_next_would) {
  EXPECT_EQ(pass_of(map(Counting{.count = 5}, throws_at_2)), (Values{0, 1, -1, 3, 4}));
  EXPECT_EQ(pass_of(map(Throwing{.samples = {.count = 4}}, tenfold)), (Values{0, 10, -1, 30}));
}

TEST(MappedIterable, is_over_after_an_exception_where_a_range_would) {
  EXPECT_EQ(pass_of(map(Kept{{1, 2, 3}}, throws_at_2)), (Values{1, -1}));
}

}  // namespace
}  // namespace forklift
