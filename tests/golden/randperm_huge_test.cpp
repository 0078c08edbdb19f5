// SPDX-License-Identifier: MIT
// Both sides of the size at which randperm changes its rule; 0.9 GB and some seconds each.
// Semantics 4.3 and 4.9.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"

#include <forklift/generator.hpp>

namespace forklift::test {
namespace {

void expect_huge_permutation(std::size_t position) {
  const auto& recorded = golden("randperm_huge").at(position);
  Generator generator(recorded.at("seed").get<std::uint64_t>());
  std::vector<std::uint32_t> out(recorded.at("n").get<std::size_t>());
  generator.randperm(std::span(out));
  expect_list(recorded, out);
  EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
}

TEST(GoldenRandpermHuge, last_size_of_the_32_bit_rule) {
  expect_huge_permutation(0);
}

TEST(GoldenRandpermHuge, first_size_of_the_inside_out_rule) {
  expect_huge_permutation(1);
}

}  // namespace
}  // namespace forklift::test
