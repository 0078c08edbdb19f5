// SPDX-License-Identifier: MIT
// Compositions of datasets in a loader: what they hand on reaches the datasets in the workers.
// Semantics 5.4.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/children.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::BulkRange;
using test_support::OpenedRange;
using test_support::RandomRange;
using test_support::Range;
using test_support::Values;

Values take_all(auto&& loader) {
  Values values;
  for (auto& batch : loader) {
    const auto data = batch.template data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
  }
  return values;
}

// open() and SampleRng, under a subset of a concatenation of a transformed dataset.
auto nested() {
  return Subset(ConcatDataset(map(OpenedRange{}, [](std::int64_t value) { return -value; }),
                              std::make_shared<RandomRange>(RandomRange{.range = {}})),
                {3, 19, 4, 18, 19});
}

TEST(Compositions, are_the_same_for_any_number_of_workers) {
  std::vector<Values> passes;
  for (const int num_workers : {0, 1, 2}) {
    passes.push_back(take_all(DataLoader(
        nested(), {.batch_size = 2, .num_workers = num_workers, .generator = Generator(7)})));
  }
  EXPECT_EQ(passes[1], passes[0]);
  EXPECT_EQ(passes[2], passes[0]);

  const Values& values = passes[0];
  ASSERT_EQ(values.size(), 5U);
  EXPECT_EQ(values[0], -3);
  EXPECT_EQ(values[2], -4);
  EXPECT_EQ(values[1] % 1000, 9);
  EXPECT_EQ(values[3] % 1000, 8);
  // One sample at two positions is augmented in two ways.
  EXPECT_EQ(values[4] % 1000, 9);
  EXPECT_NE(values[4], values[1]);
}

TEST(Compositions, read_in_bulk_in_the_workers) {
  const ConcatDataset both(BulkRange(Range{.first = 100}), Range{});
  EXPECT_EQ(take_all(DataLoader(Subset(both, {0, 10, 1, 11}), {.batch_size = 3, .num_workers = 2})),
            (Values{100, 0, 101, 1}));
}

TEST(Compositions, give_tuples_of_batches) {
  const TensorDataset tensors(Tensor::full({6, 3}, 2.0F), Tensor::zeros({6}, DType::i64));
  const StackDataset stack(tensors, Range{.count = 6});
  std::size_t rows = 0;
  for (auto& [parts, number] : DataLoader(stack, {.batch_size = 4, .num_workers = 2})) {
    EXPECT_EQ(std::get<0>(parts).shape(), Shape({number.size(0), 3}));
    EXPECT_EQ(std::get<1>(parts).dim(), 1);
    EXPECT_EQ(number.data<std::int64_t>()[0], static_cast<std::int64_t>(rows));
    rows += static_cast<std::size_t>(number.size(0));
  }
  EXPECT_EQ(rows, 6U);
}

TEST(Compositions, a_batch_of_one_tensor_is_a_tuple_of_one) {
  DataLoader loader(TensorDataset(Tensor::zeros({3, 2})), {.batch_size = 3, .num_workers = 2});
  for (auto& [x] : loader) {
    EXPECT_EQ(x.shape(), Shape({3, 2}));
  }
}

TEST(Compositions, parts_of_a_split_are_loaded_by_loaders_of_their_own) {
  const auto parts = random_split(Range{}, {0.5, 0.5}, Generator(1));
  DataLoader first(parts[0], {.batch_size = 2, .num_workers = 1});
  DataLoader second(parts[1], {.batch_size = 2, .shuffle = true, .num_workers = 1});

  std::set<std::int64_t> seen;
  for (const std::int64_t value : take_all(first)) {
    seen.insert(value);
  }
  for (const std::int64_t value : take_all(second)) {
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 10U);
}

TEST(Compositions, an_index_out_of_range_is_a_worker_error_at_its_place) {
  DataLoader loader(ConcatDataset(Range{}, Range{}),
                    {.sampler = std::vector<std::size_t>{19, 20, 0}, .num_workers = 2});
  auto batch = loader.begin();
  EXPECT_EQ((*batch).data<std::int64_t>()[0], 9);
  ++batch;
  try {
    static_cast<void>(*batch);
    FAIL() << "no error";
  } catch (const WorkerError& error) {
    EXPECT_EQ(error.original_message(),
              "index 20 is out of range for a ConcatDataset of 20 samples");
    EXPECT_EQ(error.dataset_index(), 20U);
  }
  ++batch;
  EXPECT_EQ((*batch).data<std::int64_t>()[0], 0);
}

}  // namespace
}  // namespace forklift
