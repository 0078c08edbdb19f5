// SPDX-License-Identifier: MIT
// What comes after an error: the same error again, the next batch, the next pass. Semantics 3.2,
// 3.5, 6.2, 6.4 and 10.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/process_guard.hpp"
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

class AfterErrors : public test_support::LeavesNothing {};

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
          auto seen = take_all_and_count_errors(loader);
          if (!in_order) {
            std::ranges::sort(seen.first);
          }
          EXPECT_EQ(seen, expected);
        }
      }
    }
  }
}

TEST_F(AfterErrors, the_same_error_comes_until_the_next_step) {
  for (const int num_workers : {0, 2}) {
    SharedCount calls;
    DataLoader loader(
        Numbers(3,
                [&](std::size_t index) {
                  if (index == 1) {
                    throw std::runtime_error("call " + std::to_string(++calls.value()));
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
  const SharedCount begun;
  DataLoader loader(Numbers(6,
                            [&](std::size_t index) {
                              ++begun.value();
                              return identity(index);
                            }),
                    {.num_workers = 1, .timeout = 0.05});
  auto batch = loader.begin();
  for (int expected = 0; expected < 4; ++expected, ++batch) {
    // The one worker is at the next sample: this one's batch is there, and grows old.
    ASSERT_TRUE(test_support::eventually([&] { return begun.value() >= expected + 2; }));
    ::usleep(100'000);
    EXPECT_EQ((*batch).item<std::int64_t>(), expected);
  }
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
