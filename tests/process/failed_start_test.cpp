// SPDX-License-Identifier: MIT
// Linked with support/failing_syscalls.cpp: each system call that a start makes fails in its turn.
// Semantics 1.1, 3.4 and 6.6.
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/failing_syscalls.hpp"
#include "support/leaves_nothing.hpp"
#include "support/made_dataset.hpp"
#include "support/process_guard.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Call;
using test_support::fail_call;
using Loader = DataLoader<test_support::Made<std::int64_t>>;

class FailedStart : public test_support::LeavesNothing {
 protected:
  FailedStart() { test_support::reset_calls(); }
  ~FailedStart() override { test_support::reset_calls(); }
};

Loader make_loader(int num_workers, bool persistent = false) {
  return Loader({12, [](std::size_t index) { return static_cast<std::int64_t>(index); }},
                {.batch_size = 2,
                 .num_workers = num_workers,
                 .persistent_workers = persistent,
                 .max_ring_bytes = 16 << 20,
                 .on_warning = [](std::string_view) {}});
}

std::size_t count_samples(Loader& loader) {
  std::size_t samples = 0;
  for (auto& batch : loader) {
    samples += batch.data<std::int64_t>().size();
  }
  return samples;
}

// Lets the `nth` such call of a pass fail; the message of the error, empty when there was none. The
// pass after it works, and nothing is left of either.
std::string fail_nth(Call call, std::uint64_t nth, int code) {
  const test_support::ProcessGuard guard;
  std::string message;
  {
    Loader loader = make_loader(3);
    fail_call(call, nth, code);
    try {
      EXPECT_EQ(count_samples(loader), 12U);
    } catch (const SystemError& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      message = error.what();
    }
    fail_call(call, 0, 0, 0);
    EXPECT_EQ(count_samples(loader), 12U) << "the next begin() after call " << nth;
  }
  guard.expect_clean();
  return message;
}

// Fails the 1st, 2nd, ... call of a pass until one goes well; the messages.
std::vector<std::string> fail_each(Call call, int code) {
  std::vector<std::string> messages;
  for (std::uint64_t nth = 1;; ++nth) {
    std::string message = fail_nth(call, nth, code);
    if (message.empty()) {
      return messages;
    }
    messages.push_back(std::move(message));
  }
}

TEST_F(FailedStart, a_refused_fork_names_the_worker_and_undoes_the_others) {
  const auto messages = fail_each(Call::kFork, EAGAIN);
  ASSERT_EQ(messages.size(), 3U);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string worker = "worker " + std::to_string(i + 1) + " of 3";
    EXPECT_NE(messages[i].find(worker), std::string::npos) << messages[i];
    EXPECT_NE(messages[i].find("fork"), std::string::npos) << messages[i];
    EXPECT_NE(messages[i].find("Resource temporarily unavailable"), std::string::npos)
        << messages[i];
  }
}

TEST_F(FailedStart, a_refused_ring_says_which_call_and_why) {
  for (const auto& [call, words, code] : {std::tuple{Call::kMemfdCreate, "memfd_create", ENFILE},
                                          std::tuple{Call::kFtruncate, "ftruncate", ENOSPC},
                                          std::tuple{Call::kMmap, "mmap", ENOMEM}}) {
    const auto messages = fail_each(call, code);
    ASSERT_GE(messages.size(), 1U) << words;
    for (const std::string& message : messages) {
      EXPECT_NE(message.find(words), std::string::npos) << message;
    }
  }
}

TEST_F(FailedStart, a_refused_descriptor_undoes_all_wherever_it_is_missed) {
  // A bell for each worker, one of the parent and the go of each worker.
  const auto bells = fail_each(Call::kEventfd, EMFILE);
  EXPECT_EQ(bells.size(), 7U);
  for (const std::string& message : bells) {
    EXPECT_NE(message.find("ulimit -n"), std::string::npos) << message;
  }
  // The parent's own and one for each worker.
  EXPECT_EQ(fail_each(Call::kPidfdOpen, ENFILE).size(), 4U);
}

TEST_F(FailedStart, a_worker_that_gets_no_thread_is_a_death_that_says_so) {
  fail_call(Call::kCreateThread, 1, EAGAIN, 1000);
  Loader loader = make_loader(2);
  try {
    static_cast<void>(count_samples(loader));
    FAIL() << "no error";
  } catch (const WorkerDied& error) {
    EXPECT_NE(std::string(error.what()).find("set-up failed"), std::string::npos) << error.what();
  }
  test_support::reset_calls();
  EXPECT_EQ(count_samples(loader), 12U);
}

TEST_F(FailedStart, of_persistent_workers_is_made_good_by_the_next_pass) {
  Loader loader = make_loader(2, true);
  fail_call(Call::kFork, 2, ENOMEM);
  EXPECT_THROW(static_cast<void>(loader.begin()), SystemError);
  EXPECT_EQ(count_samples(loader), 12U);
  EXPECT_EQ(count_samples(loader), 12U);
  EXPECT_EQ(test_support::num_calls(Call::kFork), 4U);  // two, and two that are kept
}

TEST_F(FailedStart, advice_that_the_kernel_refuses_is_only_advice) {
  for (std::uint64_t nth = 1; nth <= 3; ++nth) {
    test_support::reset_calls();
    fail_call(Call::kMadvise, nth, EINVAL, 1000);
    Loader loader = make_loader(2);
    EXPECT_EQ(count_samples(loader), 12U);
  }
}

TEST_F(FailedStart, with_no_workers_makes_none_of_these_calls) {
  Loader loader = make_loader(0);
  EXPECT_EQ(count_samples(loader), 12U);
  for (const Call call : {Call::kMemfdCreate, Call::kFork, Call::kEventfd, Call::kCreateThread}) {
    EXPECT_EQ(test_support::num_calls(call), 0U);
  }
}

}  // namespace
}  // namespace forklift
