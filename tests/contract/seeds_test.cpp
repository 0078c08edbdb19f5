// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py, TestDataLoader: seeds of workers, and what a worker knows of
// itself. Semantics 1.1, 4.7 and 6.1.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Numbers;
using test_support::take;
using test_support::Values;
using TestDataLoader = test_support::LeavesNothing;

// A sample a worker: the seed of the worker, as its generator says.
Values seeds_of_six(std::uint64_t base) {
  DataLoader loader(
      Numbers(6,
              [](std::size_t) {
                const auto seed = get_worker_info()->seed;
                EXPECT_EQ(default_generator().initial_seed(), seed);
                return static_cast<std::int64_t>(seed);
              }),
      {.num_workers = 6, .generator = Generator(base), .on_warning = [](std::string_view) {}});
  return take(loader);
}

TEST_F(TestDataLoader, worker_seed) {
  const Values seeds = seeds_of_six(1);
  EXPECT_EQ(std::set(seeds.begin(), seeds.end()).size(), 6U);
}

TEST_F(TestDataLoader, worker_seed_reproducibility) {
  EXPECT_EQ(seeds_of_six(42), seeds_of_six(42));
  EXPECT_NE(seeds_of_six(42), seeds_of_six(43));
}

TEST_F(TestDataLoader, worker_init_fn) {
  for (const bool persistent : {false, true}) {
    DataLoader loader(
        Numbers(4,
                [](std::size_t) {
                  return static_cast<std::int64_t>(default_generator().initial_seed());
                }),
        {.num_workers = 2,
         .worker_init_fn = [](std::size_t) { manual_seed(12345); },
         .persistent_workers = persistent});
    EXPECT_EQ(take(loader), Values(4, 12345));
  }
}

// Six numbers a sample: id, num_workers, pid, whether the info is the one of the dataset's open(),
// calls of this copy of the dataset, and the index.
class WhoAmI {
 public:
  void open(const WorkerInfo& info) { opened_by_ = info.id; }
  [[nodiscard]] std::size_t size() const { return 12; }
  Values get(std::size_t index) {
    const WorkerInfo* info = get_worker_info();
    return {static_cast<std::int64_t>(info->id),
            static_cast<std::int64_t>(info->num_workers),
            ::getpid(),
            opened_by_ == info->id ? 1 : 0,
            ++calls_,
            static_cast<std::int64_t>(index)};
  }
  [[nodiscard]] std::int64_t calls() const { return calls_; }

 private:
  std::size_t opened_by_ = 1000;
  std::int64_t calls_ = 0;
};

TEST_F(TestDataLoader, get_worker_info) {
  static_assert(std::is_same_v<decltype(get_worker_info()), const WorkerInfo*>, "read-only");
  EXPECT_EQ(get_worker_info(), nullptr);
  for (const bool persistent : {false, true}) {
    DataLoader loader(WhoAmI(), {.num_workers = 2, .persistent_workers = persistent});
    std::int64_t number = 0;
    std::set<std::int64_t> pids;
    for (auto& batch : loader) {
      const auto row = batch.data<std::int64_t>();
      EXPECT_EQ(row[0], number % 2);
      EXPECT_EQ(row[1], 2);
      pids.insert(row[2]);
      EXPECT_EQ(row[3], 1);
      EXPECT_EQ(row[4], number / 2 + 1) << "each worker has a copy of the dataset";
      EXPECT_EQ(row[5], number);
      ++number;
    }
    EXPECT_EQ(pids.size(), 2U);
    EXPECT_FALSE(pids.contains(::getpid()));
    EXPECT_EQ(loader.dataset().calls(), 0) << "the copy of the main process";
    EXPECT_EQ(get_worker_info(), nullptr);
  }
}

TEST_F(TestDataLoader, get_worker_info_is_null_without_workers) {
  DataLoader loader(Numbers(
      3, [](std::size_t) { return static_cast<std::int64_t>(get_worker_info() == nullptr); }));
  EXPECT_EQ(take(loader), Values(3, 1));
}

}  // namespace
}  // namespace forklift
