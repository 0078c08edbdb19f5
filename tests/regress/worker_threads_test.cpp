// SPDX-License-Identifier: MIT
// Workers that are threads, in a program that does unusual things.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/process_guard.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::message_of;
using test_support::Numbers;
using test_support::threads;
using test_support::Values;

class OddThreads : public test_support::LeavesNothing {};

TEST_F(OddThreads, that_fork_workers_of_their_own_do_not_lend_them_their_name) {
  const Numbers inner(4, [](std::size_t) {
    return static_cast<std::int64_t>(get_worker_info()->id * 10 + get_worker_info()->num_workers);
  });
  DataLoader loader(Numbers(2,
                            [&](std::size_t) {
                              DataLoader nested(inner, {.num_workers = 2});
                              std::int64_t names = 0;
                              for (auto& batch : nested) {
                                names = names * 100 + batch.data<std::int64_t>()[0];
                              }
                              return names;
                            }),
                    threads(1));
  Values names;
  for (auto& batch : loader) {
    const auto data = batch.data<std::int64_t>();
    names.assign(data.begin(), data.end());
  }
  EXPECT_EQ(names, (Values{2120212, 2120212}));
}

TEST_F(OddThreads, have_a_worker_init_fn_each) {
  for (const auto& mode : test_support::all_loading_modes()) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options;
    mode.apply(options);
    options.worker_init_fn = [calls = 0](std::size_t) mutable {
      if (++calls != 1) {
        throw std::domain_error("called before");
      }
    };
    DataLoader loader(Numbers(8, identity), options);
    EXPECT_EQ(test_support::take_all_and_count_errors(loader),
              std::pair(test_support::first_n(8), std::size_t{0}));
  }
}

// Runs a pass until it is over; 0 if there was one SystemError or WorkerDied, in less than ten
// seconds.
template <class Close>
int close_within_a_pass(std::size_t calls_at, Close close) {
  std::atomic<std::size_t> calls = 0;
  ::alarm(10);
  DataLoader loader(Numbers(400,
                            [&](std::size_t index) {
                              if (calls_at != 0 && ++calls == calls_at) {
                                ::usleep(20'000);  // the others sleep, or soon will
                                ::closefrom(3);
                              }
                              return identity(index);
                            }),
                    threads(2));
  auto batch = loader.begin();
  int errors = 0;
  close();
  for (int step = 0; step < 300; ++step, ++batch) {
    try {
      if (batch == loader.end()) {
        return errors == 1 ? 0 : 2;
      }
    } catch (const SystemError&) {
      ++errors;
    } catch (const WorkerDied&) {
      ++errors;
    }
  }
  return 3;
}

TEST_F(OddThreads, are_ended_when_the_program_closed_the_descriptors_they_sleep_on) {
  EXPECT_EQ(test_support::run_in_child([] {
              return close_within_a_pass(0, [] {
                ::usleep(20'000);  // both have filled the window: they sleep, or soon will
                ::closefrom(3);
              });
            }),
            0);
}

TEST_F(OddThreads, that_close_all_descriptors_themselves_are_told_and_not_a_hang) {
  EXPECT_EQ(test_support::run_in_child([] { return close_within_a_pass(100, [] {}); }), 0);
}

TEST_F(OddThreads, that_are_kept_are_ended_when_the_program_closed_all_descriptors) {
  EXPECT_EQ(test_support::run_in_child([] {
              ::alarm(10);
              DataLoaderOptions options = threads(2);
              options.persistent_workers = true;
              DataLoader loader(Numbers(8, identity), options);
              static_cast<void>(test_support::take_all(loader));
              ::usleep(20'000);  // they sleep, or soon will
              ::closefrom(3);
              const std::string words =
                  message_of<SystemError>([&] { static_cast<void>(take_all(loader)); });
              const bool is_told = words.find("closed") != std::string::npos;
              return is_told && test_support::take_all(loader).size() == 8 ? 0 : 2;
            }),
            0);
}

// Two threads, of which one is stuck until `may_go_on` and the other one ends itself.
class OneStuckOneDead {
 public:
  [[nodiscard]] Numbers dataset() {
    return {8, [this](std::size_t index) {
              if (index == 0) {
                is_stuck_ = true;
                while (!may_go_on_) {
                  std::this_thread::yield();
                }
              }
              if (index == 2) {
                while (!is_stuck_) {
                  std::this_thread::yield();
                }
                ::pthread_exit(nullptr);
              }
              return identity(index);
            }};
  }
  void let_go() { may_go_on_ = true; }

 private:
  std::atomic<bool> is_stuck_ = false;
  std::atomic<bool> may_go_on_ = false;
};

TEST_F(OddThreads, that_are_stuck_when_another_one_ends_are_warned_of) {
  OneStuckOneDead workers;
  std::string warning;
  DataLoaderOptions options = threads(2);
  options.on_warning = [&](std::string_view text) {
    warning = text;
    workers.let_go();
  };
  DataLoader loader(workers.dataset(), options);
  const std::string words = message_of<WorkerDied>([&] {
    auto batch = loader.begin();
    static_cast<void>(*batch);
  });
  EXPECT_NE(words.find("worker 1 (a thread) ended unexpectedly"), std::string::npos) << words;
  EXPECT_NE(warning.find("worker 0 did not leave within 2 s of being told and is waited for, since "
                         "a thread cannot be killed; it (a thread) is at batch 0, in the sample of "
                         "dataset index 0"),
            std::string::npos)
      << warning;
}

TEST_F(OddThreads, may_be_waited_for_by_a_thread_that_is_cancelled) {
  EXPECT_EQ(test_support::run_in_child([] {
              OneStuckOneDead workers;
              std::atomic<bool> is_warned = false;
              DataLoaderOptions options = threads(2);
              options.on_warning = [&](std::string_view) { is_warned = true; };
              std::thread user([&] {
                DataLoader loader(workers.dataset(), options);
                auto batch = loader.begin();
                static_cast<void>(message_of<WorkerDied>([&] { static_cast<void>(*batch); }));
                ::pthread_testcancel();
              });
              while (!is_warned) {
                std::this_thread::yield();
              }
              ::pthread_cancel(user.native_handle());
              ::usleep(50'000);  // it waits for the thread by now, else this shows nothing
              workers.let_go();
              user.join();
              return 0;
            }),
            0);
}

TEST_F(OddThreads, leave_no_descriptor_in_a_fork_that_lets_go_of_their_loader) {
  const test_support::ProcessGuard before;
  auto loader = std::make_unique<DataLoader<Numbers>>(Numbers(8, identity), [] {
    DataLoaderOptions options = threads(2);
    options.persistent_workers = true;
    return options;
  }());
  static_cast<void>(test_support::take_all(*loader));
  EXPECT_EQ(test_support::run_in_child([&] {
              loader.reset();
              before.expect_clean();
              return ::testing::Test::HasFailure() ? 1 : 0;
            }),
            0);
}

}  // namespace
}  // namespace forklift
