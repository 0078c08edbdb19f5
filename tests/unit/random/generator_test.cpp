// SPDX-License-Identifier: MIT
// Semantics 4.1, 4.2 and 4.8.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/detail/mt19937.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift {
namespace {

TEST(Generator, copies_share_the_engine) {
  Generator generator(3);
  Generator copy = generator;
  Generator other(3);

  EXPECT_EQ(generator.random32(), other.random32());
  EXPECT_EQ(copy.random32(), other.random32());
  EXPECT_EQ(generator.random32(), other.random32());
  EXPECT_EQ(generator, copy);
  EXPECT_NE(generator, other);
}

TEST(Generator, a_handle_can_be_used_after_it_was_moved_from) {
  Generator generator(3);
  Generator moved = std::move(generator);
  EXPECT_EQ(generator, moved);  // NOLINT(bugprone-use-after-move): that is the promise
  EXPECT_NE(generator, default_generator());
}

TEST(Generator, an_engine_is_copied_out_and_in_without_its_seed) {
  Generator generator(3);
  generator.discard(1000);
  Generator copy(77);
  detail::set_engine(copy, detail::engine_of(generator));
  EXPECT_NE(copy, generator);
  EXPECT_EQ(copy.initial_seed(), 77U);
  EXPECT_EQ(copy.random64(), generator.random64());
}

TEST(Generator, discard_skips_words) {
  for (const std::uint64_t count : {0U, 1U, 623U, 624U, 625U, 5000U}) {
    Generator skipping(9);
    Generator drawing(9);
    skipping.discard(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      (void)drawing.random32();
    }
    EXPECT_EQ(skipping.random32(), drawing.random32()) << count;
  }
}

TEST(Generator, takes_any_integer_as_seed) {
  EXPECT_EQ(Generator(-1).initial_seed(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Generator(std::int8_t{-7}).initial_seed(),
            std::numeric_limits<std::uint64_t>::max() - 6);
  EXPECT_EQ(Generator(std::numeric_limits<std::uint64_t>::max()).initial_seed(),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Generator(5L).initial_seed(), 5U);
}

TEST(Generator, seeding_one_copy_seeds_them_all) {
  Generator generator(1);
  Generator copy = generator;

  copy.manual_seed(9);

  EXPECT_EQ(generator.initial_seed(), 9U);
  EXPECT_EQ(generator.random64(), Generator(9).random64());
}

TEST(Generator, refuses_an_empty_range) {
  Generator generator(1);
  EXPECT_THROW(generator.randint(3, 3), InvalidOptions);
  EXPECT_THROW(generator.randint(3, -3), InvalidOptions);
  EXPECT_EQ(generator.random32(), Generator(1).random32()) << "a refused call draws nothing";
}

TEST(Generator, randint_covers_the_whole_of_64_bits) {
  Generator generator(1);
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  bool negative = false;
  bool positive = false;
  for (int i = 0; i < 64; ++i) {
    const std::int64_t value = generator.randint(kLow, kHigh);
    negative = negative || value < kLow / 2;
    positive = positive || value > kHigh / 2;
  }
  EXPECT_TRUE(negative && positive);
}

TEST(Generator, randperm_is_a_permutation) {
  Generator generator(17);
  for (const std::size_t count : {0U, 1U, 2U, 63U, 64U, 65U, 66U, 1000U}) {
    std::vector<std::uint64_t> values = generator.randperm(count);
    std::sort(values.begin(), values.end());
    std::vector<std::uint64_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(values, expected);
  }
}

TEST(Generator, skip_randperm_takes_the_words_of_randperm) {
  for (const std::size_t count : {0U, 1U, 2U, 10U, 625U, 5000U}) {
    Generator drawn(5);
    Generator skipped(5);
    (void)drawn.randperm(count);
    skipped.skip_randperm(count);
    EXPECT_EQ(drawn.random32(), skipped.random32()) << count;
  }
}

}  // namespace
}  // namespace forklift
