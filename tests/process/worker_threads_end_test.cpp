// SPDX-License-Identifier: MIT
// Workers that are threads: how they fail, and how they end.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::message_of;
using test_support::Numbers;
using test_support::threads;
using test_support::Values;

class WorkerThreadsEnd : public test_support::LeavesNothing {};

// The exception that is nested in what `action` throws.
template <class Action>
std::string nested_in(Action action) {
  try {
    action();
  } catch (const WorkerError& error) {
    try {
      std::rethrow_if_nested(error);
    } catch (const std::domain_error& original) {
      return original.what();
    }
  }
  return "none";
}

TEST_F(WorkerThreadsEnd, nest_the_original_exception_and_go_on) {
  DataLoader loader(Numbers(12,
                            [](std::size_t index) {
                              if (index == 5) {
                                throw std::domain_error("five is bad");
                              }
                              return identity(index);
                            }),
                    threads(2));
  auto batch = loader.begin();
  ++ ++batch;
  EXPECT_EQ(nested_in([&] { static_cast<void>(*batch); }), "five is bad");
  EXPECT_EQ(nested_in([&] { static_cast<void>(*batch); }), "five is bad");  // until ++
  const std::string words = message_of<WorkerError>([&] { static_cast<void>(*batch); });
  EXPECT_NE(words.find("Caught std::domain_error in DataLoader worker thread 0, batch 2 of epoch "
                       "0, dataset index 5 (position 1 in the batch)"),
            std::string::npos)
      << words;
  ++batch;
  EXPECT_EQ((*batch).data<std::int64_t>()[0], 6);
}

// Opened once, by the thread that begins the pass, since the dataset is shared.
class Opened : public Numbers {
 public:
  Opened(std::atomic<int>& opened, bool fails)
      : Numbers(8, identity),
        opened_(&opened),
        fails_(fails) {}
  void open(const WorkerInfo& info) {
    EXPECT_EQ(info.num_workers, 1U);
    EXPECT_EQ(get_worker_info(), nullptr);
    if (++*opened_ == 1 && fails_) {
      throw std::domain_error("no such file");
    }
  }

 private:
  std::atomic<int>* opened_;
  bool fails_;
};

TEST_F(WorkerThreadsEnd, open_the_dataset_once) {
  std::atomic<int> opened = 0;
  DataLoader loader(Opened(opened, false), threads(2));
  for (int pass = 0; pass < 3; ++pass) {
    std::size_t batches = 0;
    for (auto& batch : loader) {
      batches += batch.size(0) == 2 ? 1U : 0U;
    }
    EXPECT_EQ(batches, 4U);
  }
  EXPECT_EQ(opened, 1);
}

TEST_F(WorkerThreadsEnd, tell_an_open_or_an_init_that_throws_at_each_batch) {
  std::atomic<int> opened = 0;
  DataLoader not_opened(Opened(opened, true), threads(2));
  DataLoaderOptions options = threads(2);
  options.worker_init_fn = [](std::size_t) { throw std::domain_error("no such file"); };
  DataLoader not_started(Numbers(8, identity), options);
  const auto expect_four_errors = [](auto& loader, std::string_view stage) {
    int errors = 0;
    for (auto batch = loader.begin();; ++batch) {
      std::string words = "end";
      const std::string nested = nested_in([&] {
        try {
          if (batch == loader.end()) {
            return;
          }
        } catch (const WorkerError& error) {
          words = error.what();
          throw;
        }
      });
      if (words == "end") {
        break;
      }
      EXPECT_EQ(nested, "no such file");
      EXPECT_NE(words.find(stage), std::string::npos) << words;
      ++errors;
    }
    EXPECT_EQ(errors, 4);
  };
  expect_four_errors(not_opened, "in open in DataLoader worker thread");
  expect_four_errors(not_started, "in worker_init_fn in DataLoader worker thread");
  int batches = 0;
  for (auto& batch : not_opened) {  // tried again
    batches += batch.size(0) == 2 ? 1 : 0;
  }
  EXPECT_EQ(batches, 4);
}

TEST_F(WorkerThreadsEnd, stop_between_samples_when_they_are_left) {
  constexpr int kMany = 100'000;
  std::atomic<int> calls = 0;
  {
    DataLoaderOptions options = threads(1);
    options.batch_size = kMany;
    DataLoader loader(Numbers(kMany,
                              [&calls](std::size_t index) {
                                ++calls;
                                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                return identity(index);
                              }),
                      options);
    const auto batch = loader.begin();
    while (calls == 0) {
      std::this_thread::yield();
    }
  }
  EXPECT_LT(calls, kMany);
}

TEST_F(WorkerThreadsEnd, are_warned_of_and_waited_for_when_stuck) {
  std::atomic<bool> is_stuck = false;
  std::atomic<bool> is_warned = false;
  std::atomic<bool> is_over = false;
  std::string warning;
  {
    DataLoaderOptions options = threads(2);
    options.on_warning = [&](std::string_view text) {
      warning = text;
      is_warned = true;
    };
    DataLoader loader(Numbers(8,
                              [&](std::size_t index) {
                                if (index == 3) {
                                  is_stuck = true;
                                  while (!is_warned) {
                                    std::this_thread::yield();
                                  }
                                  is_over = true;
                                }
                                return identity(index);
                              }),
                      options);
    const auto batch = loader.begin();
    while (!is_stuck) {
      std::this_thread::yield();
    }
  }
  EXPECT_TRUE(is_over);
  EXPECT_NE(warning.find("worker 1 did not leave within 2 s of being told and is waited for, since "
                         "a thread cannot be killed; it (a thread) is at batch 1, in the sample of "
                         "dataset index 3"),
            std::string::npos)
      << warning;
}

TEST_F(WorkerThreadsEnd, can_be_timed_out_and_waited_for_again) {
  std::atomic<bool> may_go_on = false;
  DataLoaderOptions options = threads(1);
  options.timeout = std::chrono::milliseconds(20);
  DataLoader loader(Numbers(4,
                            [&](std::size_t index) {
                              while (index == 1 && !may_go_on) {
                                std::this_thread::yield();
                              }
                              return identity(index);
                            }),
                    options);
  auto batch = loader.begin();
  const std::string words = message_of<TimeoutError>([&] { static_cast<void>(*batch); });
  EXPECT_NE(words.find("worker 0 (a thread) is at batch 0, in the sample of dataset index 1"),
            std::string::npos)
      << words;
  may_go_on = true;
  Values values;
  for (; batch != loader.end(); ++batch) {
    values.push_back((*batch).data<std::int64_t>()[1]);
  }
  EXPECT_EQ(values, (Values{1, 3}));
}

TEST_F(WorkerThreadsEnd, that_end_themselves_are_dead_workers) {
  const Numbers ends(8, [](std::size_t index) {
    if (index == 5) {
      ::pthread_exit(nullptr);
    }
    return identity(index);
  });
  for (const bool persistent : {false, true}) {
    DataLoaderOptions options = threads(2);
    options.persistent_workers = persistent;
    DataLoader loader(ends, options);
    for (int pass = 0; pass < 2; ++pass) {
      auto batch = loader.begin();
      const std::string words = message_of<WorkerDied>([&] {
        for (; batch != loader.end(); ++batch) {
        }
      });
      EXPECT_NE(words.find("DataLoader worker 0 (a thread) ended unexpectedly before finishing "
                           "batch 2, dataset indices 4 5; it was in the sample of dataset index 5"),
                std::string::npos)
          << words;
      EXPECT_NE(words.find("pthread_exit"), std::string::npos) << words;
    }
  }
}

}  // namespace
}  // namespace forklift
