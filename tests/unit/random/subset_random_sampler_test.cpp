// SPDX-License-Identifier: MIT
// Semantics 3.4 and 4.4.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "support/one_pass.hpp"

#include <forklift/any_sampler.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/subset_random_sampler.hpp>

namespace forklift {
namespace {

using test_support::one_pass;
using test_support::rest_of_pass;
using Indices = std::vector<std::size_t>;

static_assert(Sampler<SubsetRandomSampler>);

TEST(SubsetRandomSampler, takes_ranges_of_any_integer) {
  const std::vector<std::int16_t> indices{7, 5, 9};
  const std::span<const std::int16_t> range(indices);
  const SubsetRandomSampler sampler(range, {.generator = Generator(1)});
  const SubsetRandomSampler same({7, 5, 9}, {.generator = Generator(1)});
  EXPECT_EQ(one_pass(sampler), one_pass(same));
  EXPECT_EQ(sampler.size(), 3U);
}

TEST(SubsetRandomSampler, refuses_a_negative_index_when_it_is_made) {
  EXPECT_THROW(SubsetRandomSampler(std::vector<int>{3, -1}), InvalidOptions);
}

TEST(SubsetRandomSampler, draws_nothing_before_the_first_index_and_then_everything) {
  Generator generator(6);
  auto cursor = SubsetRandomSampler({1, 2, 3, 4}, {.generator = generator}).iterate();
  Generator expected(6);
  EXPECT_EQ(generator.random32(), expected.random32());

  (void)cursor.next();
  expected.skip_randperm(4);
  EXPECT_EQ(generator.random32(), expected.random32());

  EXPECT_EQ(rest_of_pass(cursor).size(), 3U);
  EXPECT_EQ(cursor.next(), std::nullopt);
  EXPECT_EQ(generator.random32(), expected.random32()) << "nothing is drawn at the end";
}

TEST(SubsetRandomSampler, draws_from_the_default_generator_itself) {
  manual_seed(3);
  const SubsetRandomSampler without({1, 2, 3, 4, 5});
  const SubsetRandomSampler with({1, 2, 3, 4, 5}, {.generator = Generator(3)});
  for (int pass = 0; pass < 3; ++pass) {
    EXPECT_EQ(one_pass(without), one_pass(with));
  }
}

TEST(SubsetRandomSampler, draws_from_the_source_it_is_given) {
  static Generator other(42);
  manual_seed(1);
  const detail::RandomSource source{
      .lend = [](const std::function<void(Generator&)>& draw) { draw(other); }};

  const AnySampler sampler = SubsetRandomSampler({10, 20, 30, 40, 50});
  Indices indices;
  sampler.iterate(source)->append(5, indices);

  EXPECT_EQ(indices, (Indices{30, 50, 40, 10, 20}));
  EXPECT_EQ(default_generator().random63(), Generator(1).random63());
}

TEST(SubsetRandomSampler, samplers_that_share_a_generator_take_turns) {
  const Generator shared(8);
  const SubsetRandomSampler first({1, 2, 3, 4}, {.generator = shared});
  const SubsetRandomSampler second({1, 2, 3, 4}, {.generator = shared});
  const SubsetRandomSampler alone({1, 2, 3, 4}, {.generator = Generator(8)});
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(one_pass(first), one_pass(alone));
    EXPECT_EQ(one_pass(second), one_pass(alone));
  }
}

TEST(SubsetRandomSampler, gives_every_index_once_and_outlives_the_sampler) {
  auto cursor =
      std::optional<SubsetRandomSampler>(SubsetRandomSampler({5, 6, 7, std::size_t{1} << 40U}))
          ->iterate();
  Indices indices = rest_of_pass(cursor);
  std::ranges::sort(indices);
  EXPECT_EQ(indices, (Indices{5, 6, 7, std::size_t{1} << 40U}));
}

TEST(SubsetRandomSampler, says_that_indices_are_unique) {
  EXPECT_TRUE(AnySampler(SubsetRandomSampler({1, 2})).indices_are_unique());
}

}  // namespace
}  // namespace forklift
