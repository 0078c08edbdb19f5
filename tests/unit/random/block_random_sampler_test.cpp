// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/one_pass.hpp"

#include <forklift/any_sampler.hpp>
#include <forklift/block_random_sampler.hpp>
#include <forklift/count.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift {
namespace {

using test_support::one_pass;
using test_support::rest_of_pass;
using Indices = std::vector<std::size_t>;

static_assert(Sampler<BlockRandomSampler>);

BlockRandomSampler seeded(std::size_t size, std::uint64_t seed) {
  return BlockRandomSampler(size, {.generator = Generator(seed)});
}

bool is_permutation(Indices indices, std::size_t size) {
  Indices expected(size);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  std::ranges::sort(indices);
  return indices == expected;
}

TEST(BlockRandomSampler, gives_a_permutation_for_every_size) {
  for (std::size_t size = 0; size <= 1000; ++size) {
    for (const std::uint64_t seed : {1U, 2U}) {
      EXPECT_TRUE(is_permutation(one_pass(seeded(size, seed)), size)) << size;
    }
  }
  for (const std::size_t size : {65535U, 65536U, 65537U, 1'000'003U}) {
    EXPECT_TRUE(is_permutation(one_pass(seeded(size, 3)), size)) << size;
  }
}

TEST(BlockRandomSampler, order_is_pinned) {
  EXPECT_EQ(one_pass(seeded(10, 0)), (Indices{3, 4, 0, 7, 8, 1, 6, 9, 5, 2}));
}

TEST(BlockRandomSampler, each_seed_and_each_pass_has_an_order_of_its_own) {
  std::set<Indices> orders;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sampler = seeded(1000, seed);
    orders.insert(one_pass(sampler));
    orders.insert(one_pass(sampler));
  }
  EXPECT_EQ(orders.size(), 200U);
}

TEST(BlockRandomSampler, goes_on_with_another_permutation_of_the_same_key) {
  const BlockRandomSampler sampler(10, {.num_samples = 25, .generator = Generator(5)});
  EXPECT_EQ(sampler.size(), 25U);
  const Indices indices = one_pass(sampler);
  ASSERT_EQ(indices.size(), 25U);
  const Indices first(indices.begin(), indices.begin() + 10);
  const Indices second(indices.begin() + 10, indices.begin() + 20);
  EXPECT_TRUE(is_permutation(first, 10));
  EXPECT_TRUE(is_permutation(second, 10));
  EXPECT_NE(first, second);
  EXPECT_EQ(first, one_pass(seeded(10, 5)));
}

TEST(BlockRandomSampler, seek_is_as_good_as_stepping) {
  const BlockRandomSampler sampler(70, {.num_samples = 180});
  auto cursor = sampler.iterate();
  const Indices indices = rest_of_pass(cursor);
  for (const std::size_t position : {0U, 179U, 5U, 69U, 70U, 71U, 139U, 140U, 1U, 100U}) {
    cursor.seek(position);
    EXPECT_EQ(rest_of_pass(cursor),
              Indices(indices.begin() + static_cast<std::ptrdiff_t>(position), indices.end()))
        << position;
  }
  for (const std::size_t position : {std::size_t{180}, ~std::size_t{0}}) {
    cursor.seek(position);
    EXPECT_EQ(cursor.next(), std::nullopt);
  }
}

TEST(BlockRandomSampler, may_be_sought_before_the_first_index) {
  const Indices indices = one_pass(seeded(50, 7));
  auto cursor = seeded(50, 7).iterate();
  cursor.seek(48);
  EXPECT_EQ(rest_of_pass(cursor), Indices(indices.begin() + 48, indices.end()));

  auto at_the_end = seeded(50, 7).iterate();
  at_the_end.seek(50);
  EXPECT_EQ(at_the_end.next(), std::nullopt);
  at_the_end.seek(0);
  EXPECT_EQ(rest_of_pass(at_the_end), indices);
}

TEST(BlockRandomSampler, takes_one_key_from_the_generator_when_the_first_index_is_asked_for) {
  Generator generator(6);
  auto cursor = BlockRandomSampler(10, {.generator = generator}).iterate();
  Generator expected(6);
  EXPECT_EQ(generator.random32(), expected.random32());
  EXPECT_EQ(rest_of_pass(cursor).size(), 10U);
  (void)expected.random63();
  EXPECT_EQ(generator.random32(), expected.random32());
}

TEST(BlockRandomSampler, takes_its_key_from_the_source_it_is_given) {
  manual_seed(1);
  const detail::RandomSource source{[]() -> std::uint64_t { return Generator(42).random63(); }};
  auto cursor = BlockRandomSampler(30).iterate(source);
  EXPECT_EQ(rest_of_pass(cursor), one_pass(seeded(30, 42)));
  EXPECT_EQ(default_generator().random63(), Generator(1).random63());
}

// The 24 orders of 4 elements; chi-square with 23 degrees of freedom stays under 49.7 in 999 of
// 1000 cases, and the seeds are fixed.
TEST(BlockRandomSampler, every_order_of_few_elements_is_as_likely) {
  constexpr double kExpected = 2000;
  std::map<Indices, int> counts;
  for (std::uint64_t seed = 0; seed < 48'000; ++seed) {
    ++counts[one_pass(seeded(4, seed))];
  }
  ASSERT_EQ(counts.size(), 24U);
  double chi_square = 0;
  for (const auto& [order, count] : counts) {
    chi_square += std::pow(count - kExpected, 2) / kExpected;
  }
  EXPECT_LT(chi_square, 49.7);
}

constexpr std::size_t kParts = 16;
using Table = std::array<double, kParts * kParts>;

/// Adds how often an index of each part of the indices comes in each part of the positions.
void count_parts(const Indices& indices, Table& counts) {
  const std::size_t size = indices.size();
  for (std::size_t position = 0; position < size; ++position) {
    ++counts[position * kParts / size * kParts + indices[position] * kParts / size];
  }
}

// 225 degrees of freedom: from 165 to 294 but for 2 in 1000 cases.
TEST(BlockRandomSampler, an_index_may_come_anywhere) {
  constexpr std::uint64_t kSeeds = 20;
  for (const std::size_t size : {1008U, 4096U, 4112U, 1'048'592U}) {
    Table counts{};
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      count_parts(one_pass(seeded(size, seed)), counts);
    }
    const double expected = static_cast<double>(size * kSeeds) / (kParts * kParts);
    double chi_square = 0;
    for (const double count : counts) {
      chi_square += (count - expected) * (count - expected) / expected;
    }
    EXPECT_LT(chi_square, 294) << size;
    EXPECT_GT(chi_square, 165) << size;
  }
}

/// Indices that are `lag` apart in the order are neither correlated, nor at a preferred distance.
void expect_unrelated(const Indices& indices, std::size_t lag) {
  constexpr std::size_t kDistances = 100;
  const std::size_t size = indices.size();
  const auto count = static_cast<double>(size);
  double covariance = 0;
  std::array<double, kDistances> distances{};
  for (std::size_t i = 0; i + lag < size; ++i) {
    covariance += (static_cast<double>(indices[i]) - count / 2) *
                  (static_cast<double>(indices[i + lag]) - count / 2);
    ++distances[(indices[i + lag] + size - indices[i]) % size * kDistances / size];
  }
  const double correlation = covariance / count / (count * count / 12);
  EXPECT_LT(std::abs(correlation), 4 / std::sqrt(count));
  const double expected = count / kDistances;
  for (const double distance : distances) {
    EXPECT_NEAR(distance, expected, 5 * std::sqrt(expected));
  }
}

TEST(BlockRandomSampler, neighbours_have_nothing_to_do_with_each_other) {
  for (const std::size_t size : {100'000U, 1'200'000U}) {
    const Indices indices = one_pass(seeded(size, 11));
    for (const std::size_t lag : {1U, 2U, 256U, 512U, 1024U}) {
      SCOPED_TRACE(std::to_string(size) + ", " + std::to_string(lag));
      expect_unrelated(indices, lag);
    }
  }
}

TEST(BlockRandomSampler, starts_at_once_however_many_elements_there_are) {
  for (const std::size_t size : {std::size_t{1} << 40U, ~std::size_t{0}}) {
    auto cursor = seeded(size, 3).iterate();
    std::set<std::size_t> seen;
    for (int i = 0; i < 1000; ++i) {
      const std::size_t index = cursor.next().value();
      EXPECT_LT(index, size);
      seen.insert(index);
    }
    EXPECT_EQ(seen.size(), 1000U);
    cursor.seek(size - 1);
    EXPECT_TRUE(cursor.next().has_value());
    EXPECT_EQ(cursor.next(), std::nullopt);
  }
}

TEST(BlockRandomSampler, refuses_num_samples_that_are_no_number_of_samples) {
  for (const Count samples : {Count(0), Count(-2)}) {
    EXPECT_EQ(
        test_support::message_of<InvalidOptions>(
            [&] { const BlockRandomSampler sampler(3, {.num_samples = samples}); }),
        "num_samples should be a positive integer value, but got num_samples=" + samples.text());
  }
}

TEST(BlockRandomSampler, of_nothing_gives_nothing_unless_samples_were_asked_for) {
  EXPECT_EQ(BlockRandomSampler(0).iterate().next(), std::nullopt);
  auto cursor = BlockRandomSampler(0, {.num_samples = 3}).iterate();
  EXPECT_THROW((void)cursor.next(), InvalidOptions);
  EXPECT_EQ(cursor.next(), std::nullopt);
}

TEST(BlockRandomSampler, knows_whether_indices_repeat_and_reads_the_size_anew) {
  std::size_t size = 1;
  const AnySampler sampler = BlockRandomSampler([&size] { return size; }, {.num_samples = 3});
  EXPECT_FALSE(sampler.indices_are_unique());
  size = 3;
  EXPECT_TRUE(sampler.indices_are_unique());
  Indices indices;
  sampler.iterate()->append(10, indices);
  EXPECT_TRUE(is_permutation(indices, 3));
}

}  // namespace
}  // namespace forklift
