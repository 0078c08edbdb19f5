// SPDX-License-Identifier: MIT
// Semantics 4.2 and 4.9.
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"

#include <forklift/generator.hpp>

namespace forklift::test {
namespace {

TEST(GoldenDraws, uniform_doubles_are_equal_to_the_last_bit) {
  for (const auto& [seed, draws] : golden("u53_x3_hex").items()) {
    Generator generator(parse_seed(seed));
    for (const auto& draw : draws) {
      EXPECT_EQ(generator.uniform(), std::stod(draw.get<std::string>())) << "seed " << seed;
    }
  }
  for (const auto& [seed, draws] : golden("u53_x3").items()) {
    Generator generator(parse_seed(seed));
    for (const auto& draw : draws) {
      EXPECT_EQ(generator.uniform(), draw.get<double>()) << "seed " << seed;
    }
  }
}

TEST(GoldenDraws, exponentials_are_equal_to_the_last_bit) {
  for (const auto& [seed, draws] : golden("exponential_double_x4").items()) {
    Generator generator(parse_seed(seed));
    for (const auto& draw : draws) {
      EXPECT_EQ(generator.exponential(), std::stod(draw.at("hex").get<std::string>()))
          << "seed " << seed;
    }
  }
}

TEST(GoldenDraws, hash_of_20000_exponentials) {
  Generator generator(5);
  Sha256 hash;
  for (int i = 0; i < 20000; ++i) {
    hash.add(std::bit_cast<std::uint64_t>(generator.exponential()));
  }
  EXPECT_EQ(hash.hex(),
            golden("exponential_double_20000_seed5_sha256_le_float64").get<std::string>());
}

TEST(GoldenDraws, eight_numbers_below_100) {
  for (const auto& [seed, draws] : golden("randint100_x8").items()) {
    Generator generator(parse_seed(seed));
    for (const auto& draw : draws) {
      EXPECT_EQ(generator.randint(0, 100), draw.get<std::int64_t>()) << "seed " << seed;
    }
  }
}

TEST(GoldenDraws, ranges_around_every_limit) {
  for (const auto& recorded : golden("randint_cases")) {
    SCOPED_TRACE(recorded.dump());
    Generator generator(recorded.at("seed").get<std::uint64_t>());
    for (const auto& draw : recorded.at("out")) {
      EXPECT_EQ(generator.randint(recorded.at("lo").get<std::int64_t>(),
                                  recorded.at("hi").get<std::int64_t>()),
                draw.get<std::int64_t>());
    }
    EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
  }
}

TEST(GoldenDraws, two_words_from_2_to_the_28_values_on) {
  const std::vector<std::pair<std::string, std::int64_t>> ranges = {
      {"randint_2^28-1_x3_seed1234", (std::int64_t{1} << 28) - 1},
      {"randint_2^28_x3_seed1234", std::int64_t{1} << 28},
      {"randint_2^40_x3_seed1234", std::int64_t{1} << 40}};
  for (const auto& [name, range] : ranges) {
    Generator generator(1234);
    for (const auto& draw : golden(name)) {
      EXPECT_EQ(generator.randint(0, range), draw.get<std::int64_t>()) << name;
    }
  }
}

}  // namespace
}  // namespace forklift::test
