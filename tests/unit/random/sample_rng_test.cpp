// SPDX-License-Identifier: MIT
#include <Random123/philox.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/error.hpp>
#include <forklift/sample_rng.hpp>

namespace forklift {
namespace {

static_assert(std::uniform_random_bit_generator<SampleRng>);

constexpr std::uint64_t kSeed = 0x0123456789abcdef;

TEST(SampleRng, first_16_words_are_pinned) {
  const std::array<std::uint64_t, 16> expected{0x94e1c3673e233a0e,
                                               0xc5b32842125c4363,
                                               0xdd48cd2eefa2ea2b,
                                               0x8325be1c8db8c4cc,
                                               0xd06aa703c1b37ac3,
                                               0x4d29f9bdf42b3484,
                                               0xa49fcd997f79c2cc,
                                               0x2218b32466730b1f,
                                               0xc5cf128d4e95aba2,
                                               0x51672b389f500996,
                                               0xb6da79dcf03e0d69,
                                               0x20bc262ccc1562aa,
                                               0xadc3582bc606417c,
                                               0x96c50e95782b437f,
                                               0x14a27b2fea3400ef,
                                               0x842ca989bc6f0736};
  SampleRng rng(kSeed, 3, 12345, 0);
  for (const std::uint64_t word : expected) {
    EXPECT_EQ(rng.next64(), word);
  }
}

TEST(SampleRng, is_philox_with_the_documented_key_and_counter) {
  SampleRng rng(kSeed, 3, 12345, 78);
  for (std::uint64_t block = 0; block < 4; ++block) {
    const auto expected = r123::Philox4x64_R<10>{}({{block, 12345, 3, 78}}, {{kSeed, 0}});
    for (const std::uint64_t word : expected) {
      EXPECT_EQ(rng(), word);
    }
  }
}

TEST(SampleRng, every_part_of_the_key_makes_another_stream) {
  const std::array<std::uint64_t, 5> first = {SampleRng(1, 0, 0, 0).next64(),
                                              SampleRng(0, 1, 0, 0).next64(),
                                              SampleRng(0, 0, 1, 0).next64(),
                                              SampleRng(0, 0, 0, 1).next64(),
                                              SampleRng(0, 0, 0, 0).next64()};
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_NE(first.at(i), first.at(k));
    }
  }
}

TEST(SampleRng, floats_are_the_top_bits_of_a_word) {
  SampleRng words(kSeed, 0, 1, 0);
  SampleRng rng = words;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rng.next32(), words.next64() >> 32U);
    EXPECT_EQ(rng.uniform_float(), static_cast<float>(words.next64() >> 40U) / 16777216.0F);
    EXPECT_EQ(rng.uniform_double(),
              static_cast<double>(words.next64() >> 11U) / 9007199254740992.0);
    EXPECT_EQ(rng.uniform(-2.0, 2.0),
              -2.0 + 4.0 * (static_cast<double>(words.next64() >> 11U) / 9007199254740992.0));
  }
}

TEST(SampleRng, uniform_never_gives_its_upper_end) {
  SampleRng rng(kSeed, 0, 2, 0);
  const float low = 1.0F;
  const float high = std::nextafter(low, 2.0F);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(rng.uniform(low, high), low);
  }
  EXPECT_EQ(rng.uniform(3.0, 3.0), 3.0);
}

TEST(SampleRng, types_of_results_follow_the_arguments) {
  SampleRng rng(kSeed, 0, 3, 0);
  static_assert(std::is_same_v<decltype(rng.uniform(0.0F, 1.0F)), float>);
  static_assert(std::is_same_v<decltype(rng.uniform(0.0, 1.0F)), double>);
  static_assert(std::is_same_v<decltype(rng.uniform(0, 1)), double>);
  static_assert(std::is_same_v<decltype(rng.normal(0.0F, 1.0F)), float>);
  static_assert(std::is_same_v<decltype(rng.normal(0, 1)), double>);
  static_assert(std::is_same_v<decltype(rng.below(6)), int>);
  static_assert(std::is_same_v<decltype(rng.below(std::size_t{6})), std::size_t>);
  EXPECT_NE(rng.uniform(0, 1), 0.0) << "integers do not make it integral";
}

TEST(SampleRng, below_stays_below_and_reaches_every_value) {
  SampleRng rng(kSeed, 0, 4, 0);
  std::vector<int> counts(6);
  for (int i = 0; i < 6000; ++i) {
    ++counts.at(static_cast<std::size_t>(rng.below(6)));
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 1000, 150);  // five standard deviations
  }
  EXPECT_EQ(rng.below(1), 0);
}

TEST(SampleRng, below_rejects_words_that_would_be_uneven) {
  // Of each four words in a row two would give a multiple of 3, if none of them were rejected.
  const std::uint64_t bound = std::uint64_t{3} << 62U;
  SampleRng rng(kSeed, 0, 5, 0);
  std::array<int, 3> remainders{};
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t value = rng.below(bound);
    ASSERT_LT(value, bound);
    ++remainders.at(static_cast<std::size_t>(value % 3));
  }
  for (const int count : remainders) {
    EXPECT_NEAR(count, 1000, 130);  // five standard deviations
  }
}

TEST(SampleRng, below_refuses_bounds_that_allow_nothing) {
  SampleRng rng(kSeed, 0, 6, 0);
  EXPECT_THROW(rng.below(0), InvalidOptions);
  EXPECT_THROW(rng.below(-3), InvalidOptions);
  EXPECT_THROW(rng.below(0U), InvalidOptions);
}

TEST(SampleRng, normals_come_in_pairs_from_two_words) {
  SampleRng words(kSeed, 0, 7, 0);
  SampleRng rng = words;
  const double radius = std::sqrt(-2.0 * std::log(1.0 - words.uniform_double()));
  const double angle = 2.0 * 3.14159265358979323846 * words.uniform_double();

  EXPECT_DOUBLE_EQ(rng.normal(0.0, 1.0), radius * std::cos(angle));
  EXPECT_DOUBLE_EQ(rng.normal(10.0, 2.0), 10.0 + 2.0 * radius * std::sin(angle));
  EXPECT_EQ(rng.next64(), words.next64());
}

TEST(SampleRng, normals_have_the_mean_and_deviation_asked_for) {
  SampleRng rng(kSeed, 0, 8, 0);
  constexpr int kDraws = 20000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = rng.normal(3.0, 2.0);
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += (value - 3.0) * (value - 3.0);
  }
  EXPECT_NEAR(sum / kDraws, 3.0, 0.075);
  EXPECT_NEAR(std::sqrt(squares / kDraws), 2.0, 0.05);
}

}  // namespace
}  // namespace forklift
