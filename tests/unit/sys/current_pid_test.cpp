// SPDX-License-Identifier: MIT
#include "sys/current_pid.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/in_child.hpp"

namespace forklift::sys {
namespace {

using test_support::run_in_child;

bool is_right() {
  return current_pid() == ::getpid() && current_pid() == ::getpid();
}

TEST(CurrentPid, is_the_process_id) {
  EXPECT_EQ(current_pid(), ::getpid());
}

TEST(CurrentPid, is_right_in_a_child_and_in_its_child) {
  ASSERT_TRUE(is_right());

  const int status = run_in_child([] {
    if (!is_right()) {
      return 1;
    }
    return run_in_child([] { return is_right() ? 0 : 2; });
  });

  EXPECT_EQ(status, 0);
  EXPECT_TRUE(is_right());
}

TEST(CurrentPid, is_right_in_a_grandchild_when_the_child_never_asked) {
  ASSERT_TRUE(is_right());

  const int status = run_in_child([] { return run_in_child([] { return is_right() ? 0 : 2; }); });

  EXPECT_EQ(status, 0);
}

TEST(CurrentPid, is_right_in_a_child_made_by_the_bare_system_call) {
  ASSERT_TRUE(is_right());

  const auto pid = static_cast<pid_t>(::syscall(SYS_fork));
  if (pid == 0) {
    ::_exit(is_right() ? 0 : 1);
  }

  EXPECT_EQ(test_support::wait_for_pid(pid), 0);
}

TEST(CurrentPid, is_right_when_many_threads_ask_first) {
  const int status = run_in_child([] {  // A process in which nobody has asked yet.
    std::atomic<bool> go{false};
    std::atomic<int> wrong{0};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        while (!go) {
          std::this_thread::yield();
        }
        wrong += is_right() ? 0 : 1;
      });
    }
    go = true;
    threads.clear();
    return wrong.load();
  });

  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace forklift::sys
