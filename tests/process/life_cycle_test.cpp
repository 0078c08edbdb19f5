// SPDX-License-Identifier: MIT
// Loaders over their life: passes, workers, batches and processes that come and go. Semantics 1.1,
// 3.1, 3.4, 3.5, 3.6, 3.7, 6.1 and 10.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/process_guard.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::Numbers;
using test_support::SharedCount;
using test_support::take_all;

class LifeCycle : public test_support::LeavesNothing {};

void expect_window_of_exactly(int num_workers, int prefetch) {
  SCOPED_TRACE(std::to_string(num_workers) + " workers, prefetch_factor " +
               std::to_string(prefetch));
  const int window = num_workers * prefetch;
  const SharedCount started;
  const SharedCount asked;  // batches that the consumer took or is about to take
  const SharedCount exceeded;
  DataLoader loader(Numbers(60,
                            [&](std::size_t index) {
                              if (++started.value() > window + asked.value()) {
                                ++exceeded.value();
                              }
                              return identity(index);
                            }),
                    {.num_workers = num_workers,
                     .prefetch_factor = prefetch,
                     .on_warning = [](std::string_view) {}});
  EXPECT_EQ(started.value(), 0);
  auto batch = loader.begin();
  ASSERT_TRUE(test_support::eventually([&] { return started.value() >= window; }));
  for (int taken = 1; taken <= 10; ++taken, ++batch) {
    ++asked.value();
    ASSERT_FALSE(batch == loader.end());
    // The consumer pauses, and still the place of the batch that it took is filled.
    ASSERT_TRUE(test_support::eventually([&] { return started.value() >= window + taken; }));
  }
  for (++asked.value(); batch != loader.end(); ++batch) {
    ++asked.value();
  }
  EXPECT_EQ(started.value(), 60);
  EXPECT_EQ(exceeded.value(), 0);
}

TEST_F(LifeCycle, the_window_is_workers_times_prefetch_factor) {
  for (const int num_workers : {1, 2, 4}) {
    for (const int prefetch : {1, 2, 4}) {
      expect_window_of_exactly(num_workers, prefetch);
    }
  }
}

TEST_F(LifeCycle, persistent_workers_keep_their_pids_and_their_dataset) {
  const Numbers pids(8, [calls = std::make_shared<std::int64_t>(0)](std::size_t) {
    return ::getpid() * 1000 + (*calls)++;
  });
  for (const bool persistent : {true, false}) {
    DataLoader loader(pids, {.batch_size = 2, .num_workers = 2, .persistent_workers = persistent});
    std::set<std::int64_t> seen_pids;
    std::int64_t most_calls = 0;
    for (int epoch = 0; epoch < 3; ++epoch) {
      for (const std::int64_t value : take_all(loader)) {
        seen_pids.insert(value / 1000);
        most_calls = std::max(most_calls, value % 1000);
      }
    }
    EXPECT_EQ(seen_pids.size(), persistent ? 2U : 6U);
    EXPECT_EQ(most_calls, persistent ? 11 : 3);
  }
}

TEST_F(LifeCycle, an_older_iterator_of_a_persistent_loader_is_refused) {
  DataLoader loader(Numbers(40, identity),
                    {.batch_size = 2, .num_workers = 2, .persistent_workers = true});
  auto older = loader.begin();
  ASSERT_FALSE(older == loader.end());
  auto newer = loader.begin();
  ++older;
  EXPECT_THROW(static_cast<void>(older == loader.end()), StateError);
  EXPECT_EQ((*newer).data<std::int64_t>()[0], 0);
}

TEST_F(LifeCycle, what_kept_workers_have_not_begun_is_taken_back_when_a_pass_is_left) {
  for (const WorkerKind kind : {WorkerKind::process, WorkerKind::thread}) {
    const SharedCount calls;
    const SharedCount may_go_on;
    const Numbers dataset(5, [&](std::size_t index) {
      ++calls.value();
      EXPECT_TRUE(test_support::eventually([&] { return may_go_on.value() == 1; }, 30));
      return identity(index);
    });
    DataLoader loader(
        dataset,
        {.num_workers = 1, .prefetch_factor = 4, .persistent_workers = true, .worker_kind = kind});
    {
      const auto left = loader.begin();
      ASSERT_TRUE(test_support::eventually([&] { return calls.value() == 1; }));
    }
    may_go_on.value() = 1;
    EXPECT_EQ(take_all(loader), test_support::first_n(5));
    EXPECT_EQ(calls.value(), 1 + 5);
  }
}

TEST_F(LifeCycle, leaving_early_a_thousand_times_leaves_nothing) {
  DataLoader kept(Numbers(40, identity),
                  {.batch_size = 2, .num_workers = 2, .persistent_workers = true});
  for (int round = 0; round < 1000; ++round) {
    for (auto& batch : kept) {
      ASSERT_EQ(batch.data<std::int64_t>()[0], 0);
      break;
    }
  }
  for (int round = 0; round < 100; ++round) {
    DataLoader loader(Numbers(40, identity), {.batch_size = 2, .num_workers = 2});
    auto batch = loader.begin();
    ASSERT_EQ((*batch).data<std::int64_t>()[1], 1);
  }
  EXPECT_EQ(take_all(kept).size(), 40U);
}

TEST_F(LifeCycle, ten_thousand_epochs_of_one_batch) {
  for (int num_workers : {0, 1}) {
    DataLoader loader(
        Numbers(3, identity),
        {.batch_size = 3, .num_workers = num_workers, .persistent_workers = num_workers > 0});
    for (int epoch = 0; epoch < 10'000; ++epoch) {
      ASSERT_EQ(take_all(loader), std::vector<std::int64_t>({0, 1, 2}));
    }
  }
}

TEST_F(LifeCycle, every_batch_may_be_kept) {
  for (int num_workers : {0, 2}) {
    std::vector<Tensor> kept;
    {
      DataLoader loader(Numbers(2000, identity), {.batch_size = 2, .num_workers = num_workers});
      for (auto& batch : loader) {
        kept.push_back(batch);
      }
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      ASSERT_EQ(kept[i].data<std::int64_t>()[1], static_cast<std::int64_t>(2 * i + 1));
    }
  }
}

TEST_F(LifeCycle, busy_workers_do_not_hold_up_destruction) {
  const auto start = std::chrono::steady_clock::now();
  {
    // Each sample takes a while, and the flag to leave is looked at between two samples.
    DataLoader loader(Numbers(1'000'000,
                              [](std::size_t index) {
                                ::usleep(1000);
                                return identity(index);
                              }),
                      {.batch_size = 10'000, .num_workers = 2});
    auto batch = loader.begin();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace forklift
