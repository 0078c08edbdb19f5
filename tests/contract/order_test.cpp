// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py, TestDataLoader: order, batches and lengths over map-style
// datasets. Semantics 1.1, 1.3, 2, 3.2, 3.3, 3.5 and 3.7.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "support/labelled.hpp"
#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::first_n;
using test_support::indices_of;
using test_support::kLoadingModes;
using test_support::labelled;
using test_support::LoadingMode;
using test_support::numbers;
using test_support::take;
using test_support::Values;
using TestDataLoader = test_support::LeavesNothing;

// Two passes that give all of labelled() in order, in batches of that size.
void expect_in_order(DataLoaderOptions options, std::size_t batch_size) {
  options.batch_size = batch_size;
  DataLoader loader(labelled(), options);
  for (int pass = 0; pass < 2; ++pass) {
    Values seen;
    std::size_t batches = 0;
    for (const auto& batch : loader) {
      const Values indices = indices_of(batch);
      EXPECT_EQ(indices.size(), batch_size);
      seen.insert(seen.end(), indices.begin(), indices.end());
      ++batches;
    }
    EXPECT_EQ(seen, first_n(100));
    EXPECT_EQ(batches, loader.size());
  }
}

TEST_F(TestDataLoader, sequential_nonbatch) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.batch_size = std::nullopt;
    DataLoader loader(labelled(), options);
    std::size_t index = 0;
    for (const auto& [image, label] : loader) {
      const auto [expected, expected_label] = labelled().get(index);
      EXPECT_EQ(image.shape(), Shape({2, 3, 5}));
      EXPECT_TRUE(std::ranges::equal(image.data<float>(), expected.data<float>()));
      EXPECT_EQ(label.item<std::int64_t>(), expected_label.item<std::int64_t>());
      ++index;
    }
    EXPECT_EQ(index, 100U);
    EXPECT_EQ(loader.size(), 100U);
  }
}

TEST_F(TestDataLoader, sequential_batch) {
  expect_in_order({}, 1);
  expect_in_order({}, 2);
}

TEST_F(TestDataLoader, sequential_workers) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    expect_in_order(mode.options(), 1);
  }
}

TEST_F(TestDataLoader, seqential_batch_workers) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    expect_in_order(mode.options(), 2);
  }
}

TEST_F(TestDataLoader, seqential_batch_workers_prefetch) {
  for (const LoadingMode& mode : kLoadingModes) {
    if (mode.num_workers > 0) {
      SCOPED_TRACE(mode.text());
      DataLoaderOptions options = mode.options();
      options.prefetch_factor = 3;
      expect_in_order(options, 2);
    }
  }
}

// Reads whole lists only.
class InBulk {
 public:
  explicit InBulk(std::size_t size) : size_(size) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Values get_batch(std::span<const std::size_t> indices) const {
    return {indices.begin(), indices.end()};
  }

 private:
  std::size_t size_;
};

// Upstream's sampler gives lists while batching is off; here those are a batch_sampler's.
TEST_F(TestDataLoader, bulk_loading_nobatch) {
  const std::size_t size = 35;
  std::vector<std::vector<std::uint64_t>> lists;
  const auto order = Generator(3).randperm(size);
  for (std::size_t first = 0; first < size; first += 4) {
    lists.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                       order.begin() + static_cast<std::ptrdiff_t>(std::min(first + 4, size)));
  }
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.batch_sampler = lists;
    DataLoader loader(InBulk(size), options);
    EXPECT_EQ(loader.size(), lists.size());
    EXPECT_EQ(loader.batch_size(), std::nullopt);
    EXPECT_EQ(take(loader), Values(order.begin(), order.end()));
  }
}

TEST_F(TestDataLoader, growing_dataset) {
  DataLoader sequential(numbers(100));
  DataLoader shuffled(numbers(100), {.shuffle = true});
  EXPECT_EQ(sequential.size(), 100U);

  sequential.dataset().resize(104);
  shuffled.dataset().resize(104);

  EXPECT_EQ(sequential.size(), 104U);
  EXPECT_EQ(shuffled.size(), 104U);
  EXPECT_EQ(take(sequential), first_n(104));
  EXPECT_EQ(take(shuffled).size(), 104U);
}

// Every batch is kept, as list(loader) and tuple(loader) do.
template <class Loader>
Values collect_everything(Loader& loader) {
  std::vector<Tensor> kept;
  for (auto& batch : loader) {
    kept.push_back(batch);
  }
  Values values;
  for (const Tensor& batch : kept) {
    const auto data = batch.data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
  }
  return values;
}

TEST_F(TestDataLoader, builtin_collection_conversion) {
  for (const int num_workers : {0, 1}) {
    for (const std::optional<Count>& batch_size : {std::optional<Count>(), {2}, {3}}) {
      const DataLoaderOptions options{.batch_size = batch_size, .num_workers = num_workers};
      DataLoader map_style(numbers(20), options);
      DataLoader iterable(test_support::Sharded({20}), options);
      EXPECT_EQ(collect_everything(map_style), first_n(20));
      EXPECT_EQ(collect_everything(iterable), first_n(20));
    }
  }
}

TEST_F(TestDataLoader, len) {
  const auto expect_size = [](const DataLoaderOptions& options, std::size_t size) {
    DataLoader loader(labelled(), options);
    EXPECT_EQ(loader.size(), size);
    std::size_t batches = 0;
    for (const auto& batch : loader) {
      static_cast<void>(batch);
      ++batches;
    }
    EXPECT_EQ(batches, size);
  };
  expect_size({}, 100);
  expect_size({.batch_size = 2}, 50);
  expect_size({.batch_size = 3}, 34);
  expect_size({.batch_size = 3, .num_workers = 2, .drop_last = true}, 33);
}

TEST_F(TestDataLoader, multi_epochs_reproducibility) {
  class WhoReadIt {
   public:
    [[nodiscard]] std::size_t size() const { return 40; }
    [[nodiscard]] std::int64_t get(std::size_t index) const {
      return static_cast<std::int64_t>(1000 * get_worker_info()->id + index);
    }
  };
  for (const bool persistent : {false, true}) {
    DataLoader loader(WhoReadIt(),
                      {.batch_size = 4, .num_workers = 2, .persistent_workers = persistent});
    for (int epoch = 0; epoch < 3; ++epoch) {
      std::int64_t number = 0;
      for (auto& batch : loader) {
        EXPECT_EQ(batch.data<std::int64_t>()[0], 1000 * (number % 2) + 4 * number);
        ++number;
      }
      EXPECT_EQ(number, 10);
    }
  }
}

}  // namespace
}  // namespace forklift
