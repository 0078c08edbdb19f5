// SPDX-License-Identifier: MIT
// What comes after an error: the same error again, the next batch, the next pass.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/made_dataset.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::SharedCount;
using Numbers = test_support::Made<std::int64_t>;
using Values = std::vector<std::int64_t>;

class AfterErrors : public test_support::LeavesNothing {};

std::int64_t identity(std::size_t index) {
  return static_cast<std::int64_t>(index);
}

Values first_n(std::size_t count) {
  Values values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(identity(i));
  }
  return values;
}

// Every sample of a pass and how many WorkerErrors stood between them.
std::pair<Values, std::size_t> take_all(DataLoader<Numbers>& loader) {
  Values values;
  std::size_t errors = 0;
  for (auto batch = loader.begin();; ++batch) {
    try {
      if (batch == loader.end()) {
        return {values, errors};
      }
      const auto data = (*batch).data<std::int64_t>();
      values.insert(values.end(), data.begin(), data.end());
    } catch (const WorkerError&) {
      ++errors;
    }
  }
}

TEST_F(AfterErrors, no_other_batch_is_lost_in_any_mode) {
  const Numbers bad_four(20, [](std::size_t index) {
    if (index == 3 || index == 10 || index == 15 || index == 16) {
      throw std::runtime_error("bad");
    }
    return identity(index);
  });
  const auto expected = std::pair(Values({0, 1, 4, 5, 6, 7, 8, 9, 12, 13, 18, 19}), std::size_t{4});
  for (const int num_workers : {1, 2, 3}) {
    for (const bool persistent : {false, true}) {
      for (const bool in_order : {false, true}) {
        DataLoader loader(bad_four,
                          {.batch_size = 2,
                           .num_workers = num_workers,
                           .persistent_workers = persistent,
                           .in_order = in_order,
                           .on_warning = [](std::string_view) {}});
        for (int epoch = 0; epoch < 3; ++epoch) {
          auto seen = take_all(loader);
          if (!in_order) {
            std::ranges::sort(seen.first);
          }
          EXPECT_EQ(seen, expected);
        }
      }
    }
  }
}

template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST_F(AfterErrors, the_same_error_comes_until_the_next_step) {
  for (const int num_workers : {0, 2}) {
    SharedCount calls;
    DataLoader loader(Numbers(3,
                              [&](std::size_t index) {
                                if (index == 1) {
                                  throw std::runtime_error(
                                      "call " + std::to_string(++calls.value()));
                                }
                                return identity(index);
                              }),
                      {.num_workers = num_workers});
    auto batch = loader.begin();
    EXPECT_EQ((*batch).item<std::int64_t>(), 0);
    ++batch;
    const auto compare = [&] { static_cast<void>(batch == loader.end()); };
    const std::string first = message_of<WorkerError>(compare);
    EXPECT_NE(first.find("call 1"), std::string::npos) << first;
    EXPECT_EQ(message_of<WorkerError>(compare), first);
    EXPECT_EQ(message_of<WorkerError>([&] { static_cast<void>(*batch); }), first);
    ++batch;
    EXPECT_EQ((*batch).item<std::int64_t>(), 2);
    ++batch;
    EXPECT_TRUE(batch == loader.end());
    EXPECT_TRUE(batch == loader.end());
    EXPECT_EQ(calls.value(), 1);
  }
}

TEST_F(AfterErrors, a_timeout_is_not_kept_and_nothing_is_skipped) {
  const SharedCount may_go_on;
  const SharedCount pid;
  DataLoader loader(Numbers(6,
                            [&](std::size_t index) {
                              pid.value() = ::getpid();
                              while (index == 2 && may_go_on.value() == 0) {
                                ::usleep(1000);
                              }
                              return identity(index);
                            }),
                    {.num_workers = 1, .timeout = 0.2});
  auto batch = loader.begin();
  Values values;
  for (; values.size() < 2; ++batch) {
    try {
      values.push_back((*batch).item<std::int64_t>());
    } catch (const TimeoutError&) {  // a machine under load
    }
  }
  const auto compare = [&] { static_cast<void>(batch == loader.end()); };
  const std::string message = message_of<TimeoutError>(compare);
  for (const std::string& words : {std::string("worker 0"),
                                   "pid " + std::to_string(pid.value()),
                                   std::string("batch 2"),
                                   std::string("dataset index 2"),
                                   std::string("0.2 seconds")}) {
    EXPECT_NE(message.find(words), std::string::npos) << words << " in " << message;
  }
  ++batch;  // skips nothing
  message_of<TimeoutError>(compare);
  ++may_go_on.value();
  while (values.size() < 6) {
    try {
      values.push_back((*batch).item<std::int64_t>());
      ++batch;
    } catch (const TimeoutError&) {
    }
  }
  EXPECT_TRUE(batch == loader.end());
  EXPECT_EQ(values, first_n(6));
}

TEST_F(AfterErrors, a_slow_consumer_is_no_timeout) {
  DataLoader loader(Numbers(6, identity), {.num_workers = 1, .timeout = 5});
  DataLoader impatient(Numbers(6, identity), {.num_workers = 1, .timeout = 0.1});
  auto batch = impatient.begin();
  // All of its window is done once the other loader, begun later, is through and time has passed.
  EXPECT_EQ(take_all(loader).first, first_n(6));
  ::usleep(300'000);
  for (std::int64_t expected = 0; expected < 2; ++expected, ++batch) {
    EXPECT_EQ((*batch).item<std::int64_t>(), expected);
  }
}

TEST_F(AfterErrors, a_death_ends_the_pass_and_the_next_one_has_new_workers) {
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
        auto values = take_all(loader).first;
        std::ranges::sort(values);
        EXPECT_EQ(values, first_n(40));
      }
    }
  }
}

TEST_F(AfterErrors, a_death_leaves_other_iterators_of_the_loader_alone) {
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

TEST_F(AfterErrors, a_kill_at_any_moment_tears_no_batch) {
  constexpr std::uint32_t kSeed = 20;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const SharedCount begun;
  const SharedCount pid;
  DataLoader loader(test_support::Made<Tensor>(400,
                                               [&](std::size_t index) {
                                                 pid.value() = ::getpid();
                                                 ++begun.value();
                                                 return Tensor::full({16384},
                                                                     static_cast<float>(index));
                                               }),
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
    // Pauses until it is done, so that the pass cannot end before.
    std::int64_t taken = 0;
    bool died = false;
    for (; !died; ++batch, ++taken) {
      if (taken == 20) {
        killer.join();
      }
      try {
        ASSERT_FALSE(batch == loader.end());
        const auto row = (*batch).data<float>();
        ASSERT_TRUE(std::ranges::all_of(row.first(16384), [&](float value) {
          return value == static_cast<float>(2 * taken);
        }));
        ASSERT_TRUE(std::ranges::all_of(row.subspan(16384), [&](float value) {
          return value == static_cast<float>(2 * taken + 1);
        }));
      } catch (const WorkerDied& error) {
        EXPECT_EQ(error.signal(), SIGKILL);
        died = true;
      }
    }
    if (killer.joinable()) {
      killer.join();
    }
  }
}

TEST_F(AfterErrors, the_end_of_the_workers_thread_is_a_death_that_says_so) {
  DataLoader loader(Numbers(8,
                            [](std::size_t index) {
                              if (index == 3) {
                                ::pthread_exit(nullptr);
                              }
                              return identity(index);
                            }),
                    {.num_workers = 2});
  const std::string message = message_of<WorkerDied>([&] { take_all(loader); });
  EXPECT_NE(message.find("pthread_exit"), std::string::npos) << message;
  EXPECT_NE(message.find("3"), std::string::npos) << message;
}

TEST_F(AfterErrors, a_stopped_worker_is_a_timeout_and_does_not_outlive_its_loader) {
  std::vector<std::string> warnings;
  {
    DataLoader loader(Numbers(8,
                              [](std::size_t index) {
                                if (index == 3) {
                                  ::raise(SIGSTOP);
                                }
                                return identity(index);
                              }),
                      {.num_workers = 2,
                       .timeout = 0.5,
                       .on_warning = [&](std::string_view text) { warnings.emplace_back(text); }});
    const std::string message = message_of<TimeoutError>([&] { take_all(loader); });
    EXPECT_NE(message.find("dataset index 3"), std::string::npos) << message;
  }
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("worker 1"), std::string::npos) << warnings[0];
}

struct Odd {
  int code = 7;
};

TEST_F(AfterErrors, every_kind_of_exception_arrives_as_with_no_workers) {
  using namespace std::string_literals;
  const std::vector<std::tuple<std::function<void()>, std::string, std::string>> kinds = {
      {[] { throw std::system_error(ENOENT, std::generic_category(), "train.bin"); },
       "std::system_error",
       "train.bin: No such file or directory"},
      {[] { throw std::runtime_error("two\nlines and \xc3\xa4"); },
       "std::runtime_error",
       "two\nlines and \xc3\xa4"},
      {[] { throw std::bad_alloc(); }, "std::bad_alloc", "std::bad_alloc"},
      {[] { throw Odd(); }, "Odd", ""},
      {[] { throw "text"; }, "char const*", ""},
      {[] {
         try {
           throw std::out_of_range("inner");
         } catch (...) {
           std::throw_with_nested(std::runtime_error("outer"));
         }
       },
       "std::runtime_error",
       "outer"},
  };
  for (const auto& [act, type, text] : kinds) {
    std::vector<std::string> types;
    std::vector<std::string> messages;
    for (const int num_workers : {0, 1}) {
      DataLoader loader(Numbers(1,
                                [&act = act](std::size_t index) {
                                  act();
                                  return identity(index);
                                }),
                        {.num_workers = num_workers});
      try {
        static_cast<void>(loader.begin() == loader.end());
        ADD_FAILURE() << "no error of " << type;
      } catch (const WorkerError& error) {
        types.push_back(error.original_type());
        messages.push_back(error.original_message());
        EXPECT_EQ(error.dataset_index(), 0U);
      }
    }
    ASSERT_EQ(types.size(), 2U);
    EXPECT_NE(types[0].find(type), std::string::npos) << types[0];
    EXPECT_NE(messages[0].find(text), std::string::npos) << messages[0];
    EXPECT_EQ(types[1], types[0]);
    EXPECT_EQ(messages[1], messages[0]);
  }
}

}  // namespace
}  // namespace forklift
