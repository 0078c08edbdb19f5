// SPDX-License-Identifier: MIT
// Semantics 4.3.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"

#include <forklift/generator.hpp>

namespace forklift::test {
namespace {

TEST(GoldenRandperm, permutations_of_10) {
  for (const auto& [seed, out] : golden("randperm10").items()) {
    Generator generator(parse_seed(seed));
    EXPECT_EQ(generator.randperm(10), out.get<std::vector<std::uint64_t>>()) << "seed " << seed;
  }
}

TEST(GoldenRandperm, permutations_and_the_stream_after_them) {
  for (const auto& recorded : golden("randperm_cases")) {
    const auto count = recorded.at("n").get<std::size_t>();
    const auto seed = recorded.at("seed").get<std::uint64_t>();
    SCOPED_TRACE("n " + std::to_string(count) + ", seed " + std::to_string(seed));
    Generator generator(seed);
    expect_list(recorded, generator.randperm(count));
    EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
  }
}

TEST(GoldenRandperm, narrow_numbers_are_the_same) {
  for (const auto& recorded : golden("randperm_cases")) {
    Generator generator(recorded.at("seed").get<std::uint64_t>());
    std::vector<std::uint32_t> out(recorded.at("n").get<std::size_t>());
    generator.randperm(std::span(out));
    expect_list(recorded, out);
    EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
  }
}

TEST(GoldenRandperm, a_skipped_permutation_moves_the_stream_as_a_drawn_one) {
  for (const char* name : {"randperm_cases", "randperm_huge"}) {
    for (const auto& recorded : golden(name)) {
      Generator generator(recorded.at("seed").get<std::uint64_t>());
      generator.skip_randperm(recorded.at("n").get<std::uint64_t>());
      EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
    }
  }
}

}  // namespace
}  // namespace forklift::test
