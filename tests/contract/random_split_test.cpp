// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py, TestDatasetRandomSplit: random_split and Subset. Semantics 4.4
// and 5.4.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/children.hpp"
#include "support/message_of.hpp"
#include "support/split_sizes.hpp"

#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_split.hpp>
#include <forklift/subset.hpp>

namespace forklift {
namespace {

using test_support::all_of;
using test_support::Indices;
using test_support::message_of;
using test_support::Range;
using test_support::split_sizes;
using test_support::Values;

TEST(TestDatasetRandomSplit, lengths_must_equal_dataset_size) {
  EXPECT_EQ(message_of<InvalidOptions>([] {
              split_sizes(4, {1, 2});
            }),
            "Sum of input lengths does not equal the length of the input dataset! The lengths sum "
            "up to 3, the dataset has 4 samples");
  EXPECT_THROW(split_sizes(4, {1, 4}), InvalidOptions);
  EXPECT_THROW(split_sizes(4, {}), InvalidOptions);
  EXPECT_EQ(split_sizes(0, {}), Indices());
}

TEST(TestDatasetRandomSplit, splits_have_correct_size) {
  EXPECT_EQ(split_sizes(6, {2, 4}), (Indices{2, 4}));
  EXPECT_EQ(split_sizes(6, {0.5, 0.5}), (Indices{3, 3}));
  // What the fractions leave goes to the parts from the first on.
  EXPECT_EQ(split_sizes(106, {0.1, 0.2, 0.3, 0.4}), (Indices{11, 22, 31, 42}));
  EXPECT_EQ(split_sizes(7, {0.25, 0.25, 0.25, 0.25}), (Indices{2, 2, 2, 1}));
  EXPECT_EQ(split_sizes(3, {0.5F, 0.5F}), (Indices{2, 1}));
}

TEST(TestDatasetRandomSplit, splits_are_mutually_exclusive) {
  const auto parts = random_split(Range{.count = 5}, {2, 3});
  std::vector<bool> seen(5);
  for (const auto& part : parts) {
    for (const std::int64_t value : all_of(part)) {
      EXPECT_FALSE(seen[static_cast<std::size_t>(value)]) << value;
      seen[static_cast<std::size_t>(value)] = true;
    }
  }
  EXPECT_EQ(seen, std::vector<bool>(5, true));
}

TEST(TestDatasetRandomSplit, splits_reproducibility) {
  const auto parts = random_split(Range{}, {3, 7}, Generator(1));

  EXPECT_EQ(all_of(parts[0]), (Values{5, 6, 1}));
  EXPECT_EQ(all_of(parts[1]), (Values{2, 0, 8, 9, 3, 7, 4}));
}

TEST(TestDatasetRandomSplit, incomplete_fractional_splits) {
  EXPECT_THROW(split_sizes(10, {0.1}), InvalidOptions);
  EXPECT_EQ(message_of<InvalidOptions>([] {
              split_sizes(10, {1.1, -0.1});
            }),
            "Fraction at index 0 is not between 0 and 1, but 1.1");
  EXPECT_EQ(message_of<InvalidOptions>([] {
              split_sizes(10, {-1, 2});
            }),
            "Fraction at index 0 is not between 0 and 1, but -1");
}

TEST(TestDatasetRandomSplit, splits_generator) {
  manual_seed(3);
  Generator untouched(3);
  static_cast<void>(random_split(Range{}, {3, 7}, Generator(1)));
  EXPECT_EQ(default_generator().random63(), untouched.random63());

  static_cast<void>(random_split(Range{}, {3, 7}));
  EXPECT_NE(default_generator().random63(), untouched.random63());

  Generator given(5);
  Generator skipped(5);
  skipped.skip_randperm(10);
  static_cast<void>(random_split(Range{}, {3, 7}, given));
  EXPECT_EQ(given.random63(), skipped.random63());
}

// What slices of subsets are in Python.
TEST(TestDatasetRandomSplit, slicing_of_subset_of_dataset) {
  const Subset subset(Range{.count = 5}, {0, 1, 2, 3, 4});

  EXPECT_EQ(all_of(Subset(subset, std::vector<int>{0, 1})), (Values{0, 1}));
  EXPECT_EQ(all_of(Subset(subset, {4, 2, 0})), (Values{4, 2, 0}));
}

TEST(TestDatasetRandomSplit, slicing_of_subset_of_subset) {
  const Subset inner(Range{.count = 9}, {8, 6, 4, 2, 0});
  const Subset outer(inner, {3, 1, 0});

  EXPECT_EQ(all_of(outer), (Values{2, 6, 8}));
  EXPECT_EQ(all_of(Subset(outer, {2})), (Values{8}));
}

}  // namespace
}  // namespace forklift
