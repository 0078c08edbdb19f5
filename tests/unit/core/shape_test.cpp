// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/error.hpp>
#include <forklift/shape.hpp>

namespace forklift {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

TEST(Shape, without_sizes_is_a_scalar_of_one_element) {
  const Shape shape{};

  EXPECT_EQ(shape.dim(), 0U);
  EXPECT_EQ(shape.numel(), 1);
  EXPECT_EQ(shape.text(), "[]");
  EXPECT_EQ(shape, Shape({}));
}

TEST(Shape, counts_the_elements) {
  EXPECT_EQ(Shape({2, 3, 4}).numel(), 24);
  EXPECT_EQ(Shape({2, 0, 4}).numel(), 0);
  EXPECT_EQ(Shape({INT64_MAX}).numel(), INT64_MAX);
  EXPECT_EQ(Shape({kHuge, 1}).numel(), kHuge);
}

TEST(Shape, is_written_as_pytorch_writes_it) {
  EXPECT_EQ(Shape({3, 224, 224}).text(), "[3, 224, 224]");
}

TEST(Shape, is_equal_only_with_the_same_sizes) {
  EXPECT_EQ(Shape({2, 3}), Shape({2, 3}));
  EXPECT_NE(Shape({2, 3}), Shape({3, 2}));
  EXPECT_NE(Shape({2}), Shape({2, 1}));
  EXPECT_NE(Shape({0, 3}), Shape({3, 0}));
}

TEST(Shape, refuses_a_negative_size) {
  EXPECT_THROW(Shape({2, -1}), TensorError);
  EXPECT_THROW(Shape({0, INT64_MIN}), TensorError);
}

TEST(Shape, refuses_more_elements_than_63_bits_count) {
  EXPECT_THROW(Shape({kHuge, 2}), TensorError);
  EXPECT_THROW(Shape({INT64_MAX, INT64_MAX}), TensorError);
  // A size of 0 must not hide an absurd one.
  EXPECT_THROW(Shape({0, kHuge, 4}), TensorError);
}

TEST(Shape, refuses_more_than_sixteen_dimensions) {
  const std::vector<std::int64_t> sixteen(16, 1);
  const std::vector<std::int64_t> seventeen(17, 1);

  EXPECT_EQ(Shape(std::span(sixteen)).dim(), 16U);
  EXPECT_THROW(Shape(std::span(seventeen)), TensorError);
}

TEST(Shape, stacks_behind_a_new_first_size) {
  EXPECT_EQ(Shape({3, 4}).stacked(2), Shape({2, 3, 4}));
  EXPECT_EQ(Shape().stacked(5), Shape({5}));
  EXPECT_EQ(Shape({0}).stacked(2), Shape({2, 0}));
  EXPECT_EQ(Shape({2, 3, 4}).row(), Shape({3, 4}));
  EXPECT_EQ(Shape({2}).row(), Shape());
}

TEST(Shape, refuses_to_stack_what_gets_too_large) {
  const std::vector<std::int64_t> sixteen(16, 1);

  EXPECT_THROW(static_cast<void>(Shape({kHuge}).stacked(2)), TensorError);
  EXPECT_THROW(static_cast<void>(Shape(std::span(sixteen)).stacked(1)), TensorError);
}

}  // namespace
}  // namespace forklift
