// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/children.hpp"
#include "support/message_of.hpp"
#include "support/split_sizes.hpp"

#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_split.hpp>

namespace forklift {
namespace {

using test_support::all_of;
using test_support::Indices;
using test_support::message_of;
using test_support::OpenedRange;
using test_support::Range;
using test_support::split_sizes;
using test_support::Values;

using Warnings = std::vector<std::string>;

TEST(DatasetRandomSplit, lengths_that_sum_up_to_one_are_fractions_whatever_their_type) {
  EXPECT_EQ(split_sizes(5, {1}), (Indices{5}));
  EXPECT_EQ(split_sizes(5, {1, 0}), (Indices{5, 0}));
  EXPECT_EQ(split_sizes(5, {1, 0.0}), (Indices{5, 0}));
  EXPECT_EQ(split_sizes(5, {2.0, 3.0}), (Indices{2, 3}));
}

TEST(DatasetRandomSplit, lengths_come_from_lists_and_ranges_of_any_numbers) {
  const std::size_t rest = 7;

  EXPECT_EQ(split_sizes(10, {std::size_t{3}, rest}), (Indices{3, 7}));
  EXPECT_EQ(split_sizes(10, std::vector<std::int16_t>{4, 6}), (Indices{4, 6}));
  EXPECT_EQ(split_sizes(10, std::vector<float>{0.25F, 0.75F}), (Indices{3, 7}));
}

TEST(DatasetRandomSplit, lengths_of_one_list_may_be_of_several_types) {
  const auto split = [](std::size_t size) { return split_sizes(size, {size - 7, 4, 3.0}); };

  EXPECT_EQ(split(10), (Indices{3, 4, 3}));
}

TEST(DatasetRandomSplit, fractions_of_which_the_plain_sum_is_above_one_are_taken) {
  const std::vector<double> fractions{0.2, 0.4, 0.3, 0.1};
  ASSERT_GT(std::accumulate(fractions.begin(), fractions.end(), 0.0), 1);

  EXPECT_EQ(split_sizes(10, fractions), (Indices{2, 4, 3, 1}));
}

TEST(DatasetRandomSplit, refuses_lengths_that_are_no_numbers_of_samples) {
  EXPECT_EQ(message_of<InvalidOptions>([] {
              split_sizes(10, {-1, 11});
            }),
            "Length of split at index 0 should be a number of samples, but is -1");
  EXPECT_EQ(message_of<InvalidOptions>([] {
              split_sizes(10, {9.5, 0.5});
            }),
            "Length of split at index 0 should be a number of samples, but is 9.5");
  EXPECT_THROW(split_sizes(10, {NAN, 10.0}), InvalidOptions);
  EXPECT_THROW(split_sizes(10, {INFINITY, -INFINITY}), InvalidOptions);
  EXPECT_THROW(split_sizes(10, {SIZE_MAX, SIZE_MAX}), InvalidOptions);
}

TEST(DatasetRandomSplit, warns_of_a_fraction_that_comes_to_nothing) {
  Warnings warnings;
  const auto keep = [&](std::string_view text) { warnings.emplace_back(text); };

  static_cast<void>(random_split(Range{.count = 2}, {0.25, 0.25, 0.25, 0.25}, Generator(1), keep));
  static_cast<void>(random_split(Range{.count = 2}, {0, 2}, Generator(1), keep));

  EXPECT_EQ(warnings,
            (Warnings{"Length of split at index 2 is 0. This might result in an empty dataset.",
                      "Length of split at index 3 is 0. This might result in an empty dataset."}));
}

TEST(DatasetRandomSplit, warns_on_stderr_without_a_callback) {
  ::testing::internal::CaptureStderr();
  static_cast<void>(random_split(Range{.count = 1}, {0.5, 0.5}, Generator(1)));

  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "forklift: Length of split at index 1 is 0. This might result in an empty dataset.\n");
}

// Counts its copies.
struct Copied : Range {
  explicit Copied(int& copies) : copies_(&copies) {}
  Copied(const Copied& other) : Range(other), copies_(other.copies_) { ++*copies_; }
  Copied(Copied&&) = default;
  Copied& operator=(const Copied&) = delete;
  Copied& operator=(Copied&&) = delete;
  ~Copied() = default;

 private:
  int* copies_;
};

TEST(DatasetRandomSplit, copies_a_dataset_once_and_one_behind_a_pointer_never) {
  int copies = 0;
  const Copied dataset(copies);
  const auto parts = random_split(dataset, {2, 3, 5});
  EXPECT_EQ(copies, 1);
  EXPECT_EQ(&*parts[0].dataset(), &*parts[2].dataset());

  const auto pointer = std::make_shared<Copied>(copies);
  const auto again = random_split(pointer, {2, 8});
  EXPECT_EQ(&*again[1].dataset(), pointer.get());
  const auto halves = random_split(again[0].dataset(), {0.5, 0.5});
  EXPECT_EQ(&*halves[1].dataset(), pointer.get());
  static_assert(std::is_same_v<decltype(again), decltype(halves)>);
  EXPECT_EQ(copies, 1);
}

TEST(DatasetRandomSplit, splits_a_dataset_of_which_nothing_is_const) {
  auto parts = random_split(OpenedRange{}, {5, 5}, Generator(1));

  parts[0].open({});

  EXPECT_EQ(parts[1].dataset()->opened, 1);
  EXPECT_EQ(parts[1].get(0), 8);
}

}  // namespace
}  // namespace forklift
