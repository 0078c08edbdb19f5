// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py: workers as processes, their ends, and what outlives what.
// Semantics 1.1, 3.6, 3.7, 6.3, 6.4, 6.5 and 6.6.
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/misbehaving.hpp"
#include "support/numbers.hpp"
#include "support/process_guard.hpp"
#include "support/resume.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::expect_death;
using test_support::first_n;
using test_support::identity;
using test_support::message_of;
using test_support::Numbers;
using test_support::numbers;
using test_support::SharedCount;
using test_support::take;
using test_support::Values;
using test_support::with_bad_sample;
using TestDataLoader = test_support::LeavesNothing;
using TestDataLoaderPersistentWorkers = test_support::LeavesNothing;
using TestSetAffinity = test_support::LeavesNothing;

TEST_F(TestDataLoader, multiple_dataloaders) {
  DataLoader one(numbers(40), {.num_workers = 1});
  DataLoader two(numbers(40), {.num_workers = 2});
  auto first = one.begin();
  auto second = two.begin();
  for (std::int64_t value = 0; value < 40; ++value, ++first, ++second) {
    EXPECT_EQ((*first).item<std::int64_t>(), value);
    EXPECT_EQ((*second).item<std::int64_t>(), value);
  }
  EXPECT_TRUE(first == one.end() && second == two.end());
}

TEST_F(TestDataLoader, segfault) {
  for (const bool persistent : {false, true}) {
    DataLoader loader(with_bad_sample(8,
                                      3,
                                      [] {
                                        ::signal(SIGSEGV, SIG_DFL);
                                        ::raise(SIGSEGV);
                                      }),
                      {.num_workers = 2, .persistent_workers = persistent});
    const WorkerDied died = expect_death(loader);
    EXPECT_EQ(died.signal(), SIGSEGV);
    const std::string message = died.what();
    EXPECT_NE(message.find("was killed by signal 11 (SIGSEGV, Segmentation fault)"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("(pid " + std::to_string(died.pid()) + ")"), std::string::npos);
  }
}

// Upstream computes with libtorch's threads on both sides of the fork; here they are the user's.
TEST_F(TestDataLoader, no_segfault) {
  const auto sum_by_threads = [] {
    std::atomic<std::int64_t> sum = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&sum, i] { sum += i; });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    return sum.load();
  };
  EXPECT_EQ(sum_by_threads(), 6);
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) {
      std::this_thread::yield();
    }
  });
  DataLoader loader(Numbers(8, [&](std::size_t) { return sum_by_threads(); }), {.num_workers = 2});
  EXPECT_EQ(take(loader), Values(8, 6));
  stop = true;
  busy.join();
}

TEST_F(TestDataLoader, timeout) {
  for (const bool persistent : {false, true}) {
    const SharedCount may_go_on;
    DataLoader loader(Numbers(4,
                              [&](std::size_t index) {
                                while (index == 0 && may_go_on.value() == 0) {
                                  ::usleep(1000);
                                }
                                return identity(index);
                              }),
                      {.num_workers = 1, .timeout = 0.25, .persistent_workers = persistent});
    auto batch = loader.begin();
    const auto wait = [&] { static_cast<void>(batch == loader.end()); };
    EXPECT_NE(message_of<TimeoutError>(wait).find("timed out after 0.25 seconds"),
              std::string::npos);
    ++may_go_on.value();
  }
}

// The lists of indices are large, and the loop is left by an error while they are on their way.
TEST_F(TestDataLoader, large_sampler_indices) {
  for (const bool persistent : {false, true}) {
    DataLoader loader(numbers(1'000'000),
                      {.batch_size = 100'000,
                       .num_workers = 1,
                       .prefetch_factor = 4,
                       .persistent_workers = persistent});
    EXPECT_THROW(
        {
          for (auto& batch : loader) {
            ASSERT_EQ(batch.numel(), 100'000);
            throw std::domain_error("of the training step");
          }
        },
        std::domain_error);
  }
}

bool is_gone(pid_t pid) {
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

TEST_F(TestDataLoader, partial_workers) {
  for (const bool persistent : {false, true}) {
    std::set<pid_t> pids;
    {
      DataLoader loader(
          Numbers(400, [](std::size_t) { return static_cast<std::int64_t>(::getpid()); }),
          {.batch_size = 2,
           .num_workers = 4,
           .persistent_workers = persistent,
           .on_warning = [](std::string_view) {}});
      int taken = 0;
      for (auto& batch : loader) {
        pids.insert(static_cast<pid_t>(batch.data<std::int64_t>()[0]));
        if (++taken == 10) {
          break;
        }
      }
    }
    EXPECT_EQ(pids.size(), 4U);
    for (const pid_t pid : pids) {
      EXPECT_TRUE(is_gone(pid)) << pid;
    }
  }
}

// Sample `index` is start + index.
struct Shifted {
  std::int64_t start = 0;
  [[nodiscard]] static std::size_t size() { return 10; }
  [[nodiscard]] std::int64_t get(std::size_t index) const { return start + identity(index); }
};

TEST_F(TestDataLoaderPersistentWorkers, dataset_not_reset) {
  for (const test_support::LoadingMode& mode : test_support::kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoader loader(Shifted(), mode.options());
    for (int epoch = 0; epoch < 3; ++epoch) {
      const std::int64_t start = 100 * epoch;
      loader.dataset().start = start;
      Values expected;
      for (std::int64_t index = 0; index < 10; ++index) {
        expected.push_back((mode.persistent && mode.forks() ? 0 : start) + index);
      }
      EXPECT_EQ(take(loader), expected) << "epoch " << epoch;
    }
  }
}

TEST_F(TestDataLoaderPersistentWorkers, early_exit) {
  EXPECT_EQ(test_support::run_in_child([] {
              static DataLoader loader(
                  numbers(100), {.batch_size = 2, .num_workers = 2, .persistent_workers = true});
              for (auto& batch : loader) {
                std::exit(batch.data<std::int64_t>()[1] == 1 ? 0 : 1);
              }
              return 2;
            }),
            0);
  EXPECT_TRUE(test_support::eventually(test_support::is_childless));
}

TEST_F(TestSetAffinity, set_affinity_in_worker_init) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  const auto only = static_cast<std::size_t>(::sched_getcpu());
  const auto pin = [only](std::size_t) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(only, &one);
    ::sched_setaffinity(0, sizeof one, &one);
  };
  const auto seen = [only](std::size_t) -> std::int64_t {
    cpu_set_t now;
    ::sched_getaffinity(0, sizeof now, &now);
    return CPU_COUNT(&now) == 1 && CPU_ISSET(only, &now) ? 1 : 0;
  };
  DataLoader loader(Numbers(8, seen), {.num_workers = 2, .worker_init_fn = pin});
  EXPECT_EQ(take(loader), Values(8, 1));
  cpu_set_t after;
  ASSERT_EQ(::sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after)) << "the host's own is left alone";
}

}  // namespace
}  // namespace forklift
