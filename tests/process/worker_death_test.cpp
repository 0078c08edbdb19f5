// SPDX-License-Identifier: MIT
// Workers that die or stop: what the pass says, what it delivered, and the next pass. Semantics
// 3.6, 6.3, 6.6 and 10.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::first_n;
using test_support::identity;
using test_support::message_of;
using test_support::Numbers;
using test_support::SharedCount;
using test_support::take_all_and_count_errors;
using test_support::Values;

class WorkerDeath : public test_support::LeavesNothing {};

TEST_F(WorkerDeath, a_death_ends_the_pass_and_the_next_one_has_new_workers) {
  for (const bool persistent : {false, true}) {
    for (const bool in_order : {false, true}) {
      const SharedCount deaths;
      DataLoader loader(Numbers(40,
                                [&](std::size_t index) {
                                  if (index == 9 && deaths.value()++ == 0) {
                                    ::raise(SIGKILL);
                                  }
                                  return identity(index);
                                }),
                        {.batch_size = 2,
                         .num_workers = 2,
                         .persistent_workers = persistent,
                         .in_order = in_order});
      auto batch = loader.begin();
      std::optional<WorkerDied> death;
      for (; !death.has_value(); ++batch) {
        try {
          ASSERT_FALSE(batch == loader.end());
        } catch (const WorkerDied& error) {
          death = error;
        }
      }
      EXPECT_EQ(death->dataset_index(), 9U);
      EXPECT_EQ(death->signal(), SIGKILL);
      EXPECT_TRUE(batch == loader.end());
      EXPECT_TRUE(batch == loader.end());
      for (int epoch = 0; epoch < 2; ++epoch) {
        auto values = take_all_and_count_errors(loader).first;
        std::ranges::sort(values);
        EXPECT_EQ(values, first_n(40));
      }
    }
  }
}

TEST_F(WorkerDeath, a_death_leaves_other_iterators_of_the_loader_alone) {
  const SharedCount begun;
  DataLoader loader(Numbers(40,
                            [&](std::size_t index) {
                              if (index == 20 && begun.value()++ == 0) {
                                ::_exit(3);
                              }
                              return identity(index);
                            }),
                    {.num_workers = 1});
  auto dies = loader.begin();
  auto lives = loader.begin();
  EXPECT_THROW(
      {
        for (; dies != loader.end(); ++dies) {
        }
      },
      WorkerDied);
  Values values;
  for (; lives != loader.end(); ++lives) {
    values.push_back((*lives).item<std::int64_t>());
  }
  EXPECT_EQ(values, first_n(40));
}

bool is_all(std::span<const float> values, std::int64_t value) {
  return std::ranges::all_of(values, [=](float each) { return each == static_cast<float>(value); });
}

// Runs a pass to its death; `wait_for_kill` is called on the way, long before the end.
template <class Wait>
void expect_whole_batches_and_a_death(DataLoader<test_support::Made<Tensor>>& loader,
                                      DataLoader<test_support::Made<Tensor>>::iterator batch,
                                      Wait&& wait_for_kill) {
  for (std::int64_t taken = 0;; ++batch, ++taken) {
    if (taken == 20) {
      wait_for_kill();
    }
    try {
      if (batch == loader.end()) {
        ADD_FAILURE() << "no death";
        return;
      }
      const auto rows = (*batch).data<float>();
      EXPECT_TRUE(is_all(rows.first(rows.size() / 2), 2 * taken));
      EXPECT_TRUE(is_all(rows.subspan(rows.size() / 2), 2 * taken + 1));
    } catch (const WorkerDied& error) {
      EXPECT_EQ(error.signal(), SIGKILL);
      return;
    }
  }
}

TEST_F(WorkerDeath, a_kill_at_any_moment_tears_no_batch) {
  constexpr std::uint32_t kSeed = 20;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const SharedCount begun;
  const SharedCount pid;
  const auto make = [&](std::size_t index) {
    pid.value() = ::getpid();
    ++begun.value();
    return Tensor::full({16384}, static_cast<float>(index));
  };
  DataLoader loader(test_support::Made<Tensor>(400, make),
                    {.batch_size = 2, .num_workers = 2, .max_ring_bytes = 8 << 20});
  for (int round = 0; round < 40; ++round) {
    begun.value() = 0;
    auto batch = loader.begin();
    std::thread killer([&, after = static_cast<int>(random() % 40), turns = random() % 20'000] {
      while (begun.value() <= after) {
        std::this_thread::yield();
      }
      for (std::uint32_t turn = 0; turn < turns; ++turn) {
        static_cast<void>(begun.value().load());  // not always at the start of a sample
      }
      ::kill(pid.value(), SIGKILL);
    });
    const auto join = [&] {
      if (killer.joinable()) {
        killer.join();
      }
    };
    expect_whole_batches_and_a_death(loader, std::move(batch), join);
    join();
  }
}

TEST_F(WorkerDeath, the_end_of_the_workers_thread_is_a_death_that_says_so) {
  DataLoader loader(Numbers(8,
                            [](std::size_t index) {
                              if (index == 3) {
                                ::pthread_exit(nullptr);
                              }
                              return identity(index);
                            }),
                    {.num_workers = 2});
  const std::string message = message_of<WorkerDied>([&] { take_all_and_count_errors(loader); });
  EXPECT_NE(message.find("pthread_exit"), std::string::npos) << message;
  EXPECT_NE(message.find("3"), std::string::npos) << message;
}

TEST_F(WorkerDeath, a_stopped_worker_is_a_timeout_and_does_not_outlive_its_loader) {
  std::vector<std::string> warnings;
  {
    DataLoader loader(Numbers(8,
                              [](std::size_t index) {
                                if (index == 3) {
                                  ::raise(SIGSTOP);
                                }
                                return identity(index);
                              }),
                      {.num_workers = 2, .timeout = 0.5, .on_warning = [&](std::string_view text) {
                         warnings.emplace_back(text);
                       }});
    const std::string message =
        message_of<TimeoutError>([&] { take_all_and_count_errors(loader); });
    EXPECT_NE(message.find("dataset index 3"), std::string::npos) << message;
  }
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("worker 1"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace forklift
