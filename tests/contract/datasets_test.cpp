// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py: TestTensorDataset, TestStackDataset, TestConcatDataset.
// Semantics 5.4.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/children.hpp"
#include "support/counted_tensor.hpp"
#include "support/message_of.hpp"

#include <forklift/concat_dataset.hpp>
#include <forklift/error.hpp>
#include <forklift/map.hpp>
#include <forklift/stack_dataset.hpp>
#include <forklift/tensor_dataset.hpp>

namespace forklift {
namespace {

using test_support::all_of;
using test_support::BulkRange;
using test_support::counted;
using test_support::Indices;
using test_support::message_of;
using test_support::Range;
using test_support::ShortBulk;
using test_support::values;
using test_support::Values;

using Pair = std::tuple<std::int64_t, std::int64_t>;

auto texts(std::size_t count) {
  return map(Range{.count = count}, [](std::int64_t value) { return std::to_string(value); });
}

TEST(TestTensorDataset, len) {
  EXPECT_EQ(TensorDataset(counted({15, 10}), counted({15})).size(), 15U);
  EXPECT_EQ(TensorDataset(counted({0, 10})).size(), 0U);
}

TEST(TestTensorDataset, getitem) {
  const TensorDataset dataset(counted({4, 2, 3}), counted({4, 1}));

  const auto [x, y] = dataset.get(2);

  EXPECT_EQ(x.shape(), Shape({2, 3}));
  EXPECT_EQ(values(x), (std::vector<std::int32_t>{12, 13, 14, 15, 16, 17}));
  EXPECT_EQ(values(y), (std::vector<std::int32_t>{2}));
}

TEST(TestTensorDataset, getitem_1d) {
  const TensorDataset dataset(counted({15}), counted({15}));

  const auto [x, y] = dataset.get(14);

  EXPECT_EQ(x.dim(), 0);
  EXPECT_EQ(y.item<std::int32_t>(), 14);
}

TEST(TestTensorDataset, single_tensor) {
  const TensorDataset dataset(counted({5, 10}));
  static_assert(std::is_same_v<SampleOf<TensorDataset<Tensor>>, std::tuple<Tensor>>);

  EXPECT_EQ(dataset.size(), 5U);
  EXPECT_EQ(values(std::get<0>(dataset.get(1))).front(), 10);
}

TEST(TestTensorDataset, many_tensors) {
  const TensorDataset dataset(
      counted({3, 10}), counted({3, 2, 4}), counted({3}), Tensor::full({3, 1}, 0.5F));

  const auto [a, b, c, d] = dataset.get(1);

  EXPECT_EQ(a.shape(), Shape({10}));
  EXPECT_EQ(b.shape(), Shape({2, 4}));
  EXPECT_EQ(c.shape(), Shape());
  EXPECT_EQ(d.item<float>(), 0.5F);
}

TEST(TestStackDataset, len) {
  EXPECT_EQ(StackDataset(Range{.count = 15}, texts(15)).size(), 15U);
  EXPECT_EQ(StackDataset(Range{.count = 0}, Range{.count = 0}).size(), 0U);
}

TEST(TestStackDataset, single) {
  const StackDataset stack(Range{.first = 4});

  EXPECT_EQ(stack.get(2), std::tuple(std::int64_t{6}));
}

TEST(TestStackDataset, getitem) {
  const StackDataset stack(Range{.first = 100}, texts(10), Range{});

  EXPECT_EQ(stack.get(3), std::tuple(std::int64_t{103}, std::string("3"), std::int64_t{3}));
}

TEST(TestStackDataset, size_mismatch) {
  const auto make = [] { StackDataset(Range{.count = 9}, texts(9), Range{.count = 10}); };

  EXPECT_EQ(message_of<InvalidOptions>(make),
            "Size mismatch between datasets: number 0 has 9, number 2 has 10");
}

TEST(TestStackDataset, getitems) {
  std::vector<Indices> asked;
  const StackDataset stack(Range{.first = 100}, BulkRange(Range{}, &asked));

  EXPECT_EQ(stack.get_batch(Indices{5, 0}), (std::vector<Pair>{{105, 5}, {100, 0}}));
  EXPECT_EQ(asked, (std::vector<Indices>{{5, 0}}));
  EXPECT_EQ(stack.get(1), Pair(101, 1));
}

TEST(TestStackDataset, getitems_raises_index_error) {
  const StackDataset stack(Range{}, BulkRange(Range{}));

  // What a dataset throws passes through as it is.
  EXPECT_THROW(static_cast<void>(stack.get_batch(Indices{0, 10})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(stack.get(10)), std::out_of_range);
}

TEST(TestStackDataset, getitems_value_error) {
  const StackDataset stack(Range{}, ShortBulk(Range{}));
  const auto get = [&] { static_cast<void>(stack.get_batch(Indices{0, 1, 2, 3})); };

  EXPECT_EQ(message_of<TensorError>(get),
            "Nested dataset's output size mismatch. Expected 4, got 3: get_batch must return one "
            "sample for each index");
}

// Upstream refuses datasets with and without names in one call. Here names come from a map(), of
// the tuple to an aggregate.
TEST(TestStackDataset, mixed) {
  struct Named {
    std::int64_t number;
    std::string text;
  };
  const auto named = map(StackDataset(Range{}, texts(10)), [](auto sample) {
    return Named{std::get<0>(sample), std::get<1>(sample)};
  });

  EXPECT_EQ(named.get(4).number, 4);
  EXPECT_EQ(named.get(4).text, "4");
}

TEST(TestConcatDataset, concat_two_singletons) {
  const ConcatDataset both(Range{.first = 0, .count = 1}, Range{.first = 1, .count = 1});

  EXPECT_EQ(all_of(both), (Values{0, 1}));
}

TEST(TestConcatDataset, concat_two_non_singletons) {
  const ConcatDataset both(Range{.first = 0, .count = 5}, Range{.first = 5, .count = 5});

  EXPECT_EQ(both.size(), 10U);
  EXPECT_EQ(all_of(both), (Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(TestConcatDataset, concat_two_non_singletons_with_empty) {
  const ConcatDataset three(
      Range{.first = 0, .count = 5}, Range{.count = 0}, Range{.first = 5, .count = 2});
  const ConcatDataset first_is_empty(Range{.count = 0}, Range{.first = 5, .count = 2});

  EXPECT_EQ(all_of(three), (Values{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(all_of(first_is_empty), (Values{5, 6}));
  EXPECT_EQ(ConcatDataset(Range{.count = 0}).size(), 0U);
}

TEST(TestConcatDataset, concat_raises_index_error) {
  const ConcatDataset both(Range{.first = 0, .count = 5}, Range{.first = 5, .count = 5});
  const auto get = [&] { static_cast<void>(both.get(11)); };
  const auto at_10 = [&] { static_cast<void>(both.at(10)); };

  EXPECT_EQ(message_of<InvalidOptions>(get),
            "index 11 is out of range for a ConcatDataset of 10 samples");
  EXPECT_EQ(message_of<InvalidOptions>(at_10),
            "index 10 is out of range for a ConcatDataset of 10 samples");
  EXPECT_THROW(static_cast<void>(both.get(10)), InvalidOptions);
}

// What `a + b + c` is in Python.
TEST(TestConcatDataset, add_dataset) {
  const ConcatDataset sum(ConcatDataset(Range{.count = 2}, Range{.first = 2, .count = 3}),
                          Range{.first = 5, .count = 1});

  EXPECT_EQ(all_of(sum), (Values{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace forklift
