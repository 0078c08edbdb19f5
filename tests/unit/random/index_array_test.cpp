// SPDX-License-Identifier: MIT
// A permutation that is made as far as it is asked for is the one that is made at once.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/detail/index_array.hpp>
#include <forklift/generator.hpp>

namespace forklift {
namespace {

using detail::IndexArray;
using Indices = std::vector<std::uint64_t>;

// From here on not all of it is made at once.
constexpr std::size_t kLarge = (std::size_t{1} << 20U) + 1;

Indices first_of(IndexArray& array, std::size_t count) {
  Indices indices;
  for (std::size_t at = 0; at < count; ++at) {
    indices.push_back(array[at]);
  }
  return indices;
}

TEST(IndexArray, is_the_permutation_of_the_generator) {
  for (const std::size_t size :
       Indices{0, 1, 2, 3, 65, 1000, kLarge - 1, kLarge, kLarge + 255, kLarge + 256}) {
    Generator generator(size);
    IndexArray array;
    array.permute(generator, size);
    EXPECT_EQ(first_of(array, size), Generator(size).randperm(size)) << size;
  }
}

TEST(IndexArray, has_made_all_draws_before_an_index_is_asked_for) {
  for (const std::size_t size : Indices{0, 1, 2, 5000, kLarge}) {
    Generator generator(7);
    Generator moved_on(7);
    static_cast<void>(moved_on.randperm(size));
    IndexArray array;
    array.permute(generator, size);
    EXPECT_EQ(generator.random64(), moved_on.random64()) << size;
  }
}

TEST(IndexArray, may_be_asked_far_ahead_and_back) {
  Generator generator(3);
  IndexArray array;
  array.permute(generator, kLarge);
  const Indices expected = Generator(3).randperm(kLarge);
  for (const std::size_t at : Indices{0, 4999, 17, 5000, kLarge - 2, 1, kLarge - 1}) {
    EXPECT_EQ(array[at], expected[at]) << at;
  }
}

TEST(IndexArray, copies_go_on_each_by_itself) {
  Generator generator(3);
  IndexArray array;
  array.permute(generator, kLarge);
  static_cast<void>(array[300]);
  IndexArray copy = array;
  const Indices expected = Generator(3).randperm(kLarge);
  EXPECT_EQ(first_of(copy, kLarge), expected);
  EXPECT_EQ(first_of(array, kLarge), expected);
}

TEST(IndexArray, may_be_permuted_anew_or_filled_half_way) {
  Generator generator(3);
  IndexArray array;
  array.permute(generator, kLarge);
  static_cast<void>(array[300]);
  array.permute(generator, kLarge);
  Generator expected(3);
  static_cast<void>(expected.randperm(kLarge));
  EXPECT_EQ(first_of(array, kLarge), expected.randperm(kLarge));

  array.permute(generator, kLarge);
  std::uint64_t next = 0;
  array.generate(2000, kLarge, [&] { return next++; });
  EXPECT_EQ(array[1999], 1999U);
}

}  // namespace
}  // namespace forklift
