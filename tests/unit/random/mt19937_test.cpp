// SPDX-License-Identifier: MIT
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include <forklift/detail/mt19937.hpp>

namespace forklift::detail {
namespace {

TEST(Mt19937, gives_the_words_of_the_standard_engine) {
  std::minstd_rand seeds(12);
  for (int round = 0; round < 200; ++round) {
    const auto seed = static_cast<std::uint32_t>(seeds() * 3U);
    SCOPED_TRACE(seed);
    std::mt19937 expected(seed);
    Mt19937 engine;
    engine.seed(seed);
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(engine.next(), expected()) << "word " << i;
    }
  }
}

TEST(Mt19937, discard_skips_as_many_words_across_blocks) {
  for (const std::uint64_t count : {0U, 1U, 623U, 624U, 625U, 1248U, 5000U}) {
    for (const int before : {0, 1, 300, 624}) {
      std::mt19937 expected(99);
      Mt19937 engine;
      engine.seed(99);
      for (int i = 0; i < before; ++i) {
        (void)engine.next();
      }
      expected.discard(static_cast<std::uint64_t>(before) + count);

      engine.discard(count);

      EXPECT_EQ(engine.next(), expected()) << before << " words, then " << count;
    }
  }
}

TEST(Mt19937, keeps_the_untwisted_words_until_the_first_draw) {
  Mt19937 engine;
  engine.seed(42);
  EXPECT_EQ(engine.words[0], 42U);
  EXPECT_EQ(engine.position, Mt19937::kFresh);

  (void)engine.next();

  EXPECT_NE(engine.words[0], 42U);
  EXPECT_EQ(engine.position, 1U);
}

TEST(Mt19937, seeding_starts_the_stream_again) {
  Mt19937 engine;
  engine.seed(7);
  const std::uint32_t first = engine.next();
  engine.discard(1000);

  engine.seed(7);

  EXPECT_EQ(engine.next(), first);
}

}  // namespace
}  // namespace forklift::detail
