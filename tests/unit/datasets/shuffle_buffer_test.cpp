// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "iterables.hpp"
#include "support/message_of.hpp"

#include <forklift/error.hpp>
#include <forklift/map.hpp>
#include <forklift/shuffle_buffer.hpp>

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

static_assert(IterableDataset<ShuffleBuffer<Counting>>);
static_assert(detail::HasSize<const ShuffleBuffer<Counting>> &&
              !detail::HasOpen<ShuffleBuffer<Counting>>);
static_assert(!detail::HasSize<ShuffleBuffer<Kept>>);
static_assert(detail::HasSize<ShuffleBuffer<Noted>> && detail::HasOpen<ShuffleBuffer<Noted>>);

Values first_n(std::size_t count) {
  Values values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}
Values sorted(Values values) {
  std::ranges::sort(values);
  return values;
}

TEST(ShuffleBuffer, gives_each_sample_once) {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 100U}) {
    for (const std::size_t size : {1U, 2U, 7U, 99U, 100U, 101U}) {
      ShuffleBuffer shuffled(Counting{.count = count}, size, 1);
      EXPECT_EQ(sorted(pass_of(shuffled)), first_n(count)) << count << " through " << size;
    }
  }
}

TEST(ShuffleBuffer, of_one_sample_keeps_the_order) {
  EXPECT_EQ(pass_of(ShuffleBuffer(Counting{.count = 20}, 1, 7)), first_n(20));
}

TEST(ShuffleBuffer, hands_out_nothing_before_the_buffer_is_full) {
  const Values values = pass_of(ShuffleBuffer(Counting{.count = 200}, 10, 1));

  EXPECT_NE(values, first_n(200));
  // Sample n comes in once n - 9 samples are out.
  for (std::size_t place = 0; place < values.size(); ++place) {
    EXPECT_LT(values[place], static_cast<std::int64_t>(place + 10));
  }
}

TEST(ShuffleBuffer, may_be_larger_than_the_stream_or_any_memory) {
  ShuffleBuffer shuffled(Counting{.count = 50}, std::numeric_limits<std::uint64_t>::max(), 1);
  const Values values = pass_of(shuffled);

  EXPECT_NE(values, first_n(50));
  EXPECT_EQ(sorted(values), first_n(50));
}

TEST(ShuffleBuffer, has_one_order_for_seed_worker_and_base_seed) {
  const auto order = [](std::uint64_t seed, const WorkerInfo& info) {
    return pass_of(ShuffleBuffer(Counting{.count = 50}, 20, seed), info);
  };
  const std::set<Values> orders{
      order(1, {.id = 0, .num_workers = 2, .seed = 9}),
      order(2, {.id = 0, .num_workers = 2, .seed = 9}),
      order(1, {.id = 1, .num_workers = 2, .seed = 9}),
      order(1, {.id = 0, .num_workers = 2, .seed = 10}),
      // Seeds that differ in their high half alone.
      order(1, {.id = 0, .num_workers = 2, .seed = 9 + (std::uint64_t{1} << 32U)}),
      order(1 + (std::uint64_t{1} << 32U), {.id = 0, .num_workers = 2, .seed = 9})};

  EXPECT_EQ(orders.size(), 6U);
  EXPECT_TRUE(orders.contains(order(1, {.id = 0, .num_workers = 7, .seed = 9})));
}

// As a kept worker begins them, which has one seed for life.
TEST(ShuffleBuffer, has_another_order_in_each_pass_of_a_worker) {
  WorkerInfo info{.id = 0, .num_workers = 1, .seed = 9};
  const ShuffleBuffer shuffled(Counting{.count = 50}, 20, 1);
  std::set<Values> orders;
  for (; info.passes_before < 5; ++info.passes_before) {
    orders.insert(pass_of(shuffled, info));
  }
  info.passes_before = 0;

  EXPECT_EQ(orders.size(), 5U);
  EXPECT_TRUE(orders.contains(pass_of(shuffled, info)));
}

// Computed by another program from the published Philox4x64-10.
TEST(ShuffleBuffer, keeps_its_order_from_version_to_version) {
  EXPECT_EQ(pass_of(ShuffleBuffer(Counting{.count = 10}, 4, 1), {.seed = 2}),
            (Values{2, 3, 5, 0, 1, 8, 9, 6, 4, 7}));
}

// Each of the 3! orders of a whole buffer as often as the others, within five standard deviations.
TEST(ShuffleBuffer, has_no_favourite_order) {
  constexpr int kPasses = 6000;
  std::vector<Values> orders;
  for (std::uint64_t seed = 0; seed < kPasses; ++seed) {
    orders.push_back(pass_of(ShuffleBuffer(Counting{.count = 3}, 3, 1), {.seed = seed}));
  }
  Values order = first_n(3);
  do {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(orders, order)), 1000.0, 145.0);
  } while (std::ranges::next_permutation(order).found);
}

TEST(ShuffleBuffer, carries_size_and_open_through) {
  const auto noted = std::make_shared<Noted>();
  ShuffleBuffer shuffled(noted, 3, 1);

  shuffled.open({.id = 3, .num_workers = 4, .seed = 0});

  EXPECT_EQ(shuffled.size(), 10U);
  EXPECT_EQ(noted->opened_by, std::vector<std::size_t>{3});
}

TEST(ShuffleBuffer, refuses_a_buffer_of_nothing) {
  const auto none = [] { ShuffleBuffer(Counting{}, 0, 1); };
  const auto negative = [] { ShuffleBuffer(Counting{}, -3, 1); };

  EXPECT_EQ(message_of<InvalidOptions>(none),
            "the size of a ShuffleBuffer should be positive, but got 0");
  EXPECT_EQ(message_of<InvalidOptions>(negative),
            "the size of a ShuffleBuffer should be positive, but got -3");
}

TEST(ShuffleBuffer, takes_samples_that_can_only_be_moved) {
  const auto value_of = [](MoveOnly::Sample sample) { return *sample; };
  const MoveOnly samples{.samples = {.count = 30}};

  EXPECT_EQ(sorted(pass_of(map(ShuffleBuffer(samples, 8, 1), value_of))), first_n(30));
}

struct Fixed {
  const std::int64_t value;
};
TEST(ShuffleBuffer, takes_samples_that_cannot_be_assigned_and_bools) {
  const auto fixed = map(Counting{.count = 30}, [](std::int64_t value) { return Fixed{value}; });
  const auto bools = map(Counting{.count = 30}, [](std::int64_t value) { return value < 10; });

  EXPECT_EQ(sorted(pass_of(
                map(ShuffleBuffer(fixed, 8, 1), [](const Fixed& sample) { return sample.value; }))),
            first_n(30));
  const Values shuffled = pass_of(ShuffleBuffer(bools, 8, 1));
  EXPECT_EQ(std::ranges::count(shuffled, 1), 10);
}

TEST(ShuffleBuffer, loses_no_sample_by_an_exception) {
  const auto error_first = [](Values values) {
    EXPECT_EQ(values.at(0), -1);  // it stood among the samples that fill the buffer
    return sorted(std::move(values));
  };
  EXPECT_EQ(error_first(pass_of(ShuffleBuffer(Throwing{.samples = {.count = 6}}, 4, 1))),
            (Values{-1, 0, 1, 3, 4, 5}));

  const auto bad_range = map(Kept{{1, 2, 3}}, [](std::int64_t value) {
    if (value == 3) {
      throw std::domain_error("value 3 is bad");
    }
    return value;
  });
  EXPECT_EQ(error_first(pass_of(ShuffleBuffer(bad_range, 4, 1))), (Values{-1, 1, 2}));
}

TEST(ShuffleBuffer, draws_nothing_for_an_exception) {
  const Throwing throwing{.samples = {.count = 20}, .bad = 10};
  const Kept without{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19}};
  Values values = pass_of(ShuffleBuffer(throwing, 4, 1));
  ASSERT_EQ(std::erase(values, -1), 1U);

  EXPECT_EQ(values, pass_of(ShuffleBuffer(without, 4, 1)));
}

}  // namespace
}  // namespace forklift
