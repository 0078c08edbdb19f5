// SPDX-License-Identifier: MIT
// Rules of the contract that none of upstream's tests shows: workers from their start to their end.
// Semantics 6.6.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::message_of;
using test_support::Numbers;
using test_support::numbers;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::take;
using test_support::take_with_errors;
using test_support::Values;
using Workers = test_support::LeavesNothing;

// A stream of the order in which a worker was set up: 1 in worker_init_fn, 2 in open, 3 in iterate.
class Steps {
 public:
  explicit Steps(const SharedCount& init_calls) : init_calls_(&init_calls) {}
  void open(const WorkerInfo& /*worker*/) {
    steps_ = init_calls_->value() == 1 ? Values{1, 2} : Values{-1};
  }
  [[nodiscard]] Values iterate(const WorkerInfo& /*worker*/) {
    steps_.push_back(3);
    return steps_;
  }

 private:
  const SharedCount* init_calls_;
  Values steps_;
};

// Semantics 1.1 and 6.1: worker_init_fn runs after seeding and with the WorkerInfo, before open()
// and before the stream is made.
TEST_F(Workers, are_set_up_in_order) {
  const SharedCount init_calls;
  const auto init = [&](std::size_t id) {
    const WorkerInfo* info = get_worker_info();
    if (info != nullptr && info->id == id && default_generator().initial_seed() == info->seed) {
      ++init_calls.value();
    }
  };
  DataLoader loader(Steps(init_calls), {.num_workers = 1, .worker_init_fn = init});
  EXPECT_EQ(take(loader), (Values{1, 2, 3}));
}

// Semantics 3.1 and 3.6.
TEST_F(Workers, are_initialised_in_each_pass_or_once_if_they_stay) {
  for (const bool persistent : {false, true}) {
    const SharedCount calls;
    DataLoader loader(numbers(4),
                      {.num_workers = 2,
                       .worker_init_fn = [&](std::size_t) { ++calls.value(); },
                       .persistent_workers = persistent});
    for (int pass = 0; pass < 3; ++pass) {
      take(loader);
    }
    EXPECT_EQ(calls.value(), persistent ? 2 : 6);
  }
}

// Semantics 3.6: what an abandoned pass has left behind, errors too, is not the next one's.
TEST_F(Workers, bring_no_error_of_an_abandoned_pass) {
  const SharedCount is_bad;
  is_bad.value() = 1;
  DataLoader loader(Numbers(20,
                            [&](std::size_t index) {
                              return is_bad.value() == 1 && index > 0
                                         ? throw std::runtime_error("bad")
                                         : identity(index);
                            }),
                    {.num_workers = 2, .prefetch_factor = 4, .persistent_workers = true});
  EXPECT_EQ(take(loader, 1), Values{0});
  is_bad.value() = 0;
  EXPECT_EQ(take(loader), test_support::first_n(20));
}

// Starts in its first pass and never again.
class StartsOnce {
 public:
  [[nodiscard]] Values iterate(const WorkerInfo& /*worker*/) {
    if (starts_++ > 0) {
      throw std::runtime_error("cannot start again");
    }
    return {1, 2};
  }

 private:
  int starts_ = 0;
};

// Semantics 3.6, where PyTorch's worker dies; here the error has its place as any other.
TEST_F(Workers, that_cannot_start_a_later_pass_say_so) {
  DataLoader loader(StartsOnce(), {.num_workers = 1, .persistent_workers = true});
  EXPECT_EQ(take(loader), (Values{1, 2}));
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<std::string> errors;
    EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors), Values{-1});
    EXPECT_NE(errors.front().find("cannot start again"), std::string::npos) << errors.front();
  }
}

bool is_gone(std::int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

// Semantics 3.5 and 3.7: those that are not kept end when the end of the pass is told.
TEST_F(Workers, that_are_not_kept_end_with_the_pass) {
  for (const bool persistent : {false, true}) {
    DataLoader loader(Numbers(4, [](std::size_t) { return static_cast<std::int64_t>(::getpid()); }),
                      {.num_workers = 2, .persistent_workers = persistent});
    std::set<std::int64_t> pids;
    auto batch = loader.begin();
    for (; batch != loader.end(); ++batch) {
      pids.insert((*batch).item<std::int64_t>());
    }
    for (const std::int64_t pid : pids) {
      EXPECT_EQ(is_gone(pid), !persistent);
    }
    EXPECT_TRUE(batch == loader.end());
  }
}

// Semantics 3.6: a death between two passes comes out of the second one; the one after that has new
// workers.
TEST_F(Workers, that_died_between_two_passes_are_told_of_by_the_next) {
  DataLoader loader(Numbers(4, [](std::size_t) { return static_cast<std::int64_t>(::getpid()); }),
                    {.num_workers = 2, .persistent_workers = true});
  const auto pid = static_cast<pid_t>(take(loader).front());
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);

  const std::string message = message_of<WorkerDied>([&] { take(loader); });
  EXPECT_NE(message.find("SIGKILL"), std::string::npos) << message;
  EXPECT_EQ(take(loader).size(), 4U);
}

// Semantics 6.5. PyTorch's workers may have no children.
TEST_F(Workers, may_have_loaders_with_workers_of_their_own) {
  DataLoader loader(Numbers(4,
                            [](std::size_t index) {
                              DataLoader inner(numbers(index + 1), {.num_workers = 1});
                              return static_cast<std::int64_t>(take(inner).size());
                            }),
                    {.num_workers = 2});
  EXPECT_EQ(take(loader), (Values{1, 2, 3, 4}));
}

// Semantics 4.7: without workers nothing is seeded, only the base seed is drawn.
TEST_F(Workers, alone_are_seeded) {
  manual_seed(3);
  DataLoader loader(Numbers(
      2, [](std::size_t) { return static_cast<std::int64_t>(default_generator().random63()); }));
  Generator expected(3);
  expected.random63();
  const auto first = static_cast<std::int64_t>(expected.random63());
  const auto second = static_cast<std::int64_t>(expected.random63());
  EXPECT_EQ(take(loader), (Values{first, second}));
}

}  // namespace
}  // namespace forklift
