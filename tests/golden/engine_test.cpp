// SPDX-License-Identifier: MIT
// Semantics 4.1, 4.2 and 10.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"

#include <forklift/generator.hpp>

namespace forklift::test {
namespace {

TEST(GoldenEngine, numbers_were_recorded_by_the_release_we_follow) {
  EXPECT_EQ(golden("meta").at("torch"), "2.15.0");
}

TEST(GoldenEngine, first_words_of_each_seed) {
  for (const auto& [seed, words] : golden("words32").items()) {
    Generator generator(parse_seed(seed));
    for (const auto& word : words) {
      EXPECT_EQ(generator.random32(), word.get<std::uint32_t>()) << "seed " << seed;
    }
  }
}

TEST(GoldenEngine, word_10000_of_the_reference_seed) {
  Generator generator(5489);
  std::uint32_t word = 0;
  for (int i = 0; i < 10000; ++i) {
    word = generator.random32();
  }
  EXPECT_EQ(word, golden("word32_number_10000_seed5489").get<std::uint32_t>());
}

TEST(GoldenEngine, hash_of_2000_words) {
  for (const auto& [seed, hash] : golden("words32_sha256_first_2000_le_uint32").items()) {
    Generator generator(parse_seed(seed));
    std::vector<std::uint32_t> words(2000);
    for (auto& word : words) {
      word = generator.random32();
    }
    EXPECT_EQ(sha256_of<std::uint32_t>(words), hash.get<std::string>()) << "seed " << seed;
  }
}

TEST(GoldenEngine, draws_of_64_bits) {
  for (const auto& [seed, draws] : golden("random64").items()) {
    Generator generator(parse_seed(seed));
    for (const auto& draw : draws) {
      EXPECT_EQ(generator.random64(), draw.get<std::uint64_t>()) << "seed " << seed;
    }
  }
}

TEST(GoldenEngine, draws_of_63_bits) {
  for (const auto& [seed, draws] : golden("random_int64").items()) {
    Generator generator(parse_seed(seed));
    for (const auto& draw : draws) {
      EXPECT_EQ(generator.random63(), draw.get<std::uint64_t>()) << "seed " << seed;
    }
  }
}

TEST(GoldenEngine, negative_seeds_wrap) {
  for (const auto& [seed, recorded] : golden("negative_seed_same_stream").items()) {
    Generator generator(std::stoll(seed));
    EXPECT_EQ(generator.initial_seed(), parse_seed(recorded.at("same_as").get<std::string>()));
    EXPECT_EQ(generator.random63(), recorded.at("random_int64").get<std::uint64_t>())
        << "seed " << seed;
  }
}

TEST(GoldenEngine, generator_that_was_never_seeded) {
  const auto& recorded = golden("default_generator_seed_new_object");
  Generator generator;
  EXPECT_EQ(generator.initial_seed(), recorded.at("initial_seed").get<std::uint64_t>());
  EXPECT_EQ(generator.random63(), recorded.at("random_int64").get<std::uint64_t>());
}

}  // namespace
}  // namespace forklift::test
