// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py: the tests of TestDataLoader over iterable datasets,
// TestIndividualWorkerQueue and TestOutOfOrderDataLoader. Semantics 1.1, 2, 3.3, 3.4 and 3.5.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Claiming;
using test_support::first_n;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::take;
using test_support::Values;
using Batches = std::vector<Values>;
using TestDataLoader = test_support::LeavesNothing;
using TestIndividualWorkerQueue = test_support::LeavesNothing;
using TestOutOfOrderDataLoader = test_support::LeavesNothing;

template <class Loader>
Batches batches_of(Loader& loader) {
  Batches batches;
  for (auto& batch : loader) {
    const auto data = batch.template data<std::int64_t>();
    batches.emplace_back(data.begin(), data.end());
  }
  return batches;
}

DataLoaderOptions three_workers(int prefetch_factor, bool persistent) {
  return {.num_workers = 3,
          .prefetch_factor = prefetch_factor,
          .persistent_workers = persistent,
          .on_warning = [](std::string_view) {}};
}

TEST_F(TestDataLoader, iterable_style_dataset) {
  DataLoader single(Sharded({20}), {.batch_size = std::nullopt});
  EXPECT_EQ(take(single), first_n(20));
  DataLoader batched(Sharded({20}), {.batch_size = 7});
  EXPECT_EQ(batches_of(batched).back(), (Values{14, 15, 16, 17, 18, 19}));
  DataLoader full(Sharded({20}), {.batch_size = 7, .drop_last = true});
  EXPECT_EQ(batches_of(full).size(), 2U);
}

// Worker 0 has nothing, so that it leaves the rounds at once; worker 1 has 4, worker 2 has 20.
TEST_F(TestDataLoader, iterable_style_dataset_of_uneven_workers) {
  Values alone{100, 200, 101, 201, 102, 202, 103, 203};
  for (std::int64_t value = 204; value < 220; ++value) {
    alone.push_back(value);
  }
  for (const bool persistent : {false, true}) {
    for (const int prefetch_factor : {2, 3, 4}) {
      DataLoaderOptions options = three_workers(prefetch_factor, persistent);
      options.batch_size = std::nullopt;
      DataLoader single(Sharded({0, 4, 20}), options);
      options.batch_size = 7;
      DataLoader batched(Sharded({0, 4, 20}), options);
      options.drop_last = true;
      DataLoader full(Sharded({0, 4, 20}), options);
      const Batches of_worker_2{{200, 201, 202, 203, 204, 205, 206},
                                {207, 208, 209, 210, 211, 212, 213}};
      for (int epoch = 0; epoch < 2; ++epoch) {
        EXPECT_EQ(take(single), alone);
        EXPECT_EQ(batches_of(batched),
                  (Batches{{100, 101, 102, 103},
                           of_worker_2[0],
                           of_worker_2[1],
                           {214, 215, 216, 217, 218, 219}}));
        EXPECT_EQ(batches_of(full), of_worker_2);
      }
    }
  }
}

TEST_F(TestDataLoader, chain_iterable_style_dataset) {
  Values expected = test_support::joined(first_n(20), first_n(15));
  for (const int num_workers : {0, 1}) {
    DataLoader loader(ChainDataset(Claiming({20}, 20), Claiming({15}, 15)),
                      {.batch_size = std::nullopt, .num_workers = num_workers});
    EXPECT_EQ(loader.size(), 35U);
    EXPECT_EQ(take(loader), expected);
  }
}

TEST_F(TestDataLoader, iterabledataset_len) {
  const auto size_of = [](const DataLoaderOptions& options) {
    return DataLoader(Claiming({10}, 10), options).size();
  };
  EXPECT_EQ(size_of({}), 10U);
  EXPECT_EQ(size_of({.batch_size = std::nullopt}), 10U);
  EXPECT_EQ(size_of({.batch_size = 2}), 5U);
  EXPECT_EQ(size_of({.batch_size = 3}), 4U);
  EXPECT_EQ(size_of({.batch_size = 3, .drop_last = true}), 3U);
  EXPECT_EQ(DataLoader(Sharded({10})).size(), std::nullopt);
}

// The text of it, and the item at which it comes: golden/GoldenIterable has the numbers.
TEST_F(TestDataLoader, iterable_style_dataset_warns_of_its_length) {
  std::vector<std::string> warnings;
  const auto keep = [&](std::string_view text) { warnings.emplace_back(text); };
  DataLoader loader(Claiming({10}, 3), {.batch_size = 2, .on_warning = keep});
  take(loader);
  EXPECT_TRUE(warnings.empty()) << "nobody asked for the length";
  EXPECT_EQ(loader.size(), 2U);
  take(loader, 3);
  EXPECT_TRUE(warnings.empty()) << "batches are compared with the samples that it claims";
  take(loader);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("was reported to be 3 (when "), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("but 4 samples have been fetched"), std::string::npos) << warnings[0];
}

TEST_F(TestIndividualWorkerQueue, ind_worker_queue) {
  class WhoReadIt {
   public:
    [[nodiscard]] std::size_t size() const { return 1000; }
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> get(std::size_t index) const {
      const WorkerInfo* info = get_worker_info();
      return {info == nullptr ? -1 : static_cast<std::int64_t>(info->id), index};
    }
  };
  for (const std::size_t batch_size : {8U, 16U, 32U, 64U}) {
    for (std::size_t num_workers = 0; num_workers <= 6; ++num_workers) {
      DataLoader loader(WhoReadIt(),
                        {.batch_size = batch_size,
                         .num_workers = num_workers,
                         .timeout = num_workers == 0 ? 0 : 60,
                         .on_warning = [](std::string_view) {}});
      std::size_t number = 0;
      Values values;
      for (const auto& [workers, samples] : loader) {
        const std::int64_t expected =
            num_workers == 0 ? -1 : static_cast<std::int64_t>(number % num_workers);
        for (const std::int64_t worker : workers.data<std::int64_t>()) {
          ASSERT_EQ(worker, expected);
        }
        const auto data = samples.data<std::int64_t>();
        values.insert(values.end(), data.begin(), data.end());
        ++number;
      }
      EXPECT_EQ(values, first_n(1000));
    }
  }
}

// Ten samples over two workers, a value each; `taken` is counted up behind each of them.
template <class D>
void expect_order(D dataset, bool in_order, const SharedCount& taken, const Values& expected) {
  DataLoader loader(
      std::move(dataset),
      {.batch_size = std::nullopt, .num_workers = 2, .prefetch_factor = 2, .in_order = in_order});
  Values values;
  for (auto& sample : loader) {
    values.push_back(sample.template item<std::int64_t>());
    ++taken.value();
  }
  EXPECT_EQ(values, expected);
}

// Sample 0 waits until `late` were taken.
void expect_map_order(bool in_order, int late, const Values& expected) {
  const SharedCount taken;
  test_support::Numbers dataset(10, [&taken, late](std::size_t index) {
    while (index == 0 && taken.value() < late) {
      std::this_thread::yield();
    }
    return static_cast<std::int64_t>(100 * get_worker_info()->id + index);
  });
  expect_order(std::move(dataset), in_order, taken, expected);
}

TEST_F(TestOutOfOrderDataLoader, in_order_index_ds) {
  expect_map_order(true, 0, Values{0, 101, 2, 103, 4, 105, 6, 107, 8, 109});
}

TEST_F(TestOutOfOrderDataLoader, out_of_order_index_ds) {
  expect_map_order(false, 8, Values{101, 103, 104, 105, 106, 107, 108, 109, 0, 2});
}

void expect_stream_order(bool in_order, int late, const Values& expected) {
  const SharedCount taken;
  const auto late_second_worker = [&](std::size_t worker, std::size_t number) {
    while (worker == 1 && number == 0 && taken.value() < late) {
      std::this_thread::yield();
    }
    return static_cast<std::int64_t>(5 * worker + number);
  };
  expect_order(Sharded({5, 5}, late_second_worker), in_order, taken, expected);
}

TEST_F(TestOutOfOrderDataLoader, in_order_iterable_ds) {
  expect_stream_order(true, 1, Values{0, 5, 1, 6, 2, 7, 3, 8, 4, 9});
}

TEST_F(TestOutOfOrderDataLoader, out_of_order_iterable_ds) {
  expect_stream_order(false, 5, first_n(10));
}

}  // namespace
}  // namespace forklift
