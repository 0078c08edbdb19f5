// SPDX-License-Identifier: MIT
// Upstream's tests of loaders whose workers are threads. Semantics 9.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::first_n;
using test_support::Numbers;
using test_support::numbers;
using test_support::Sharded;
using test_support::take_all;
using test_support::threads;
using test_support::Values;

class TestThreadingDataLoader : public test_support::LeavesNothing {
 protected:
  static DataLoaderOptions processes(DataLoaderOptions options) {
    options.worker_kind = WorkerKind::process;
    return options;
  }
};

TEST_F(TestThreadingDataLoader, threading_vs_multiprocessing) {
  DataLoaderOptions options = threads(2);
  options.shuffle = true;
  options.generator = Generator(3);
  DataLoader by_threads(numbers(50), options);
  options.generator = Generator(3);
  DataLoader by_processes(numbers(50), processes(options));
  for (int epoch = 0; epoch < 2; ++epoch) {
    EXPECT_EQ(take_all(by_threads), take_all(by_processes));
  }
}

TEST_F(TestThreadingDataLoader, threading_worker_info) {
  std::mutex mutex;
  std::set<std::pair<std::size_t, std::size_t>> seen;  // id, number of workers
  DataLoader loader(Numbers(20,
                            [&](std::size_t index) {
                              const std::lock_guard lock(mutex);
                              seen.emplace(get_worker_info()->id, get_worker_info()->num_workers);
                              return test_support::identity(index);
                            }),
                    threads(3));
  EXPECT_EQ(take_all(loader), first_n(20));
  EXPECT_EQ(seen, (std::set<std::pair<std::size_t, std::size_t>>{{0, 3}, {1, 3}, {2, 3}}));
  EXPECT_EQ(get_worker_info(), nullptr);
}

TEST_F(TestThreadingDataLoader, threading_different_batch_sizes) {
  for (const int batch_size : {1, 3, 7, 50, 64}) {
    DataLoaderOptions options = threads(2);
    options.batch_size = batch_size;
    DataLoader loader(numbers(50), options);
    EXPECT_EQ(take_all(loader), first_n(50));
    EXPECT_EQ(loader.size(), static_cast<std::size_t>((50 + batch_size - 1) / batch_size));
  }
}

TEST_F(TestThreadingDataLoader, threading_different_num_workers) {
  for (const int num_workers : {0, 1, 2, 4, 8}) {
    DataLoader loader(numbers(50), threads(num_workers));
    EXPECT_EQ(take_all(loader), first_n(50));
  }
}

TEST_F(TestThreadingDataLoader, threading_shuffle_reproducibility) {
  const auto order = [](int seed) {
    DataLoaderOptions options = threads(2);
    options.shuffle = true;
    options.generator = Generator(seed);
    DataLoader loader(numbers(50), options);
    return take_all(loader);
  };
  EXPECT_EQ(order(42), order(42));
  EXPECT_NE(order(42), order(43));
}

TEST_F(TestThreadingDataLoader, threading_with_persistent_workers) {
  std::atomic<int> started = 0;
  DataLoaderOptions options = threads(2);
  options.persistent_workers = true;
  options.worker_init_fn = [&](std::size_t) { ++started; };
  DataLoader loader(numbers(50), options);
  for (int epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(take_all(loader), first_n(50));
  }
  EXPECT_EQ(started, 2);
}

TEST_F(TestThreadingDataLoader, threading_error_handling) {
  DataLoader loader(Numbers(10,
                            [](std::size_t index) {
                              return index == 5 ? throw std::out_of_range("no sample 5")
                                                : test_support::identity(index);
                            }),
                    threads(2));
  const std::string words = test_support::message_of<WorkerError>([&] { take_all(loader); });
  EXPECT_NE(words.find("Caught std::out_of_range in DataLoader worker thread"), std::string::npos);
  EXPECT_NE(words.find("no sample 5"), std::string::npos);
}

TEST_F(TestThreadingDataLoader, threading_iterable_dataset) {
  DataLoader loader(Sharded({3, 5}), threads(2));
  EXPECT_EQ(take_all(loader), (Values{0, 1, 100, 101, 2, 102, 103, 104}));
}

TEST_F(TestThreadingDataLoader, threading_with_drop_last) {
  DataLoaderOptions options = threads(2);
  options.batch_size = 8;
  options.drop_last = true;
  DataLoader loader(numbers(50), options);
  EXPECT_EQ(take_all(loader), first_n(48));
}

TEST_F(TestThreadingDataLoader, threading_with_custom_collate_fn) {
  const auto sum = [](std::vector<std::int64_t> samples) {
    std::int64_t total = 0;
    for (const std::int64_t sample : samples) {
      total += sample;
    }
    return total;
  };
  DataLoader loader(numbers(6), threads(2), sum);
  Values sums;
  for (const std::int64_t batch : loader) {
    sums.push_back(batch);
  }
  EXPECT_EQ(sums, (Values{1, 5, 9}));
}

TEST_F(TestThreadingDataLoader, threading_with_batch_sampler) {
  DataLoaderOptions options = threads(2);
  options.batch_size = 1;
  options.batch_sampler = std::vector<std::vector<int>>{{3, 1}, {4}, {0, 2, 0}};
  DataLoader loader(numbers(5), options);
  EXPECT_EQ(take_all(loader), (Values{3, 1, 4, 0, 2, 0}));
}

TEST_F(TestThreadingDataLoader, threading_with_prefetch_factor) {
  for (const int prefetch_factor : {1, 2, 4, 8}) {
    DataLoaderOptions options = threads(2);
    options.prefetch_factor = prefetch_factor;
    DataLoader loader(numbers(50), options);
    EXPECT_EQ(take_all(loader), first_n(50));
  }
}

TEST_F(TestThreadingDataLoader, threading_worker_init_fn) {
  std::mutex mutex;
  std::multiset<std::size_t> ids;
  DataLoaderOptions options = threads(3);
  options.worker_init_fn = [&](std::size_t id) {
    const std::lock_guard lock(mutex);
    ids.insert(id);
  };
  DataLoader loader(numbers(12), options);
  EXPECT_EQ(take_all(loader), first_n(12));
  EXPECT_EQ(ids, (std::multiset<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace forklift
