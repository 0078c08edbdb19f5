// SPDX-License-Identifier: MIT
// Semantics 6.5.
#include "sys/parent_watch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/process_guard.hpp"
#include "sys/child_process.hpp"
#include "sys/child_setup.hpp"
#include "sys/pid_fd.hpp"

namespace forklift::sys {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using test_support::ProcessGuard;

// The statuses of the orphans that came to this process, once there is no process below it.
std::vector<int> reap_orphans() {
  std::vector<int> statuses;
  EXPECT_TRUE(test_support::eventually([&] {
    int status = 0;
    while (::waitpid(-1, &status, WNOHANG) > 0) {
      statuses.push_back(status);
    }
    return test_support::descendants_of(::getpid()).empty();
  }));
  return statuses;
}

// A process that starts one child with `body`, tells by a byte that the body runs and then waits to
// be killed.
pid_t start_middle(const std::function<void()>& body, const std::array<int, 2>& pipe) {
  const pid_t middle = ::fork();
  if (middle != 0) {
    return middle;
  }
  static_cast<void>(std::signal(SIGSEGV, SIG_DFL));  // A sanitizer would report and exit.
  const UniqueFd self = open_pid_fd(::getpid());
  const ChildPlan plan{
      .name = "forklift:w0", .hooks = {}, .parent_pidfd = self.get(), .own_pool = nullptr};
  const ChildProcess child = ChildProcess::start(plan, [&]() -> int {
    body();
    static_cast<void>(::write(pipe[1], "x", 1));
    for (;;) {
      ::pause();
    }
  });
  for (;;) {
    ::pause();
  }
}

// Kills a parent by `signal` while its child is past `body`; the child's wait status.
int status_after_parent_is_killed(int signal, const std::function<void()>& body) {
  const ProcessGuard guard;
  std::array<int, 2> pipe{};
  EXPECT_EQ(::pipe(pipe.data()), 0);
  const pid_t middle = start_middle(body, pipe);
  char byte = 0;
  EXPECT_EQ(::read(pipe[0], &byte, 1), 1);

  EXPECT_EQ(::kill(middle, signal), 0);
  EXPECT_TRUE(WIFSIGNALED(test_support::wait_for_pid(middle)));
  const std::vector<int> orphans = reap_orphans();
  ::close(pipe[0]);
  ::close(pipe[1]);

  guard.expect_clean();
  return orphans.size() == 1 && WIFEXITED(orphans[0]) ? WEXITSTATUS(orphans[0]) : -1;
}

TEST(ParentWatch, ends_the_child_of_a_killed_parent) {
  for (const int signal : {SIGKILL, SIGTERM, SIGABRT, SIGSEGV}) {
    EXPECT_EQ(status_after_parent_is_killed(signal, [] {}), kExitParentGone) << signal;
  }
}

TEST(ParentWatch, ends_a_child_that_is_busy_and_has_all_signals_blocked) {
  const auto body = [] {
    sigset_t all{};
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  };

  EXPECT_EQ(status_after_parent_is_killed(SIGKILL, body), kExitParentGone);
}

void close_all_but_the_first_three() {
  for (int fd = 3; fd < 256; ++fd) {
    ::close(fd);
  }
}

TEST(ParentWatch, ends_a_child_that_closed_the_descriptor_of_its_parent) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const auto body = [&] {
    ::dup2(pipe[1], 1);
    close_all_but_the_first_three();
    static_cast<void>(::write(1, "x", 1));
  };
  const ProcessGuard guard;
  const pid_t middle = start_middle(body, pipe);
  char byte = 0;
  EXPECT_EQ(::read(pipe[0], &byte, 1), 1);

  EXPECT_EQ(::kill(middle, SIGKILL), 0);
  EXPECT_TRUE(WIFSIGNALED(test_support::wait_for_pid(middle)));

  const std::vector<int> orphans = reap_orphans();
  ASSERT_EQ(orphans.size(), 1U);
  EXPECT_EQ(WEXITSTATUS(orphans[0]), kExitParentGone);
  guard.expect_clean();
  ::close(pipe[0]);
  ::close(pipe[1]);
}

// Forks a child that watches `parent_pidfd` and the parent, and then does `rest`.
template <class Rest>
pid_t start_watched(int parent_pidfd, Rest&& rest) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    start_parent_watch(parent_pidfd, parent);
    rest();
    ::_exit(9);
  }
  return child;
}

void sleep_for_ever() {
  for (;;) {
    ::pause();
  }
}

TEST(ParentWatch, looks_at_the_parent_s_number_when_it_has_no_descriptor) {
  const ProcessGuard guard;
  EXPECT_EQ(test_support::run_in_child([] {
              static_cast<void>(start_watched(-1, sleep_for_ever));
              return 0;
            }),
            0);

  const std::vector<int> orphans = reap_orphans();

  ASSERT_EQ(orphans.size(), 1U);
  EXPECT_EQ(WEXITSTATUS(orphans[0]), kExitParentGone);
}

TEST(ParentWatch, leaves_a_child_with_a_closed_descriptor_alone_while_its_parent_lives) {
  const ProcessGuard guard;
  // Longer than two looks of the watch; 1000 is not open.
  const pid_t child = start_watched(1000, [] {
    static_cast<void>(wait_until_ready({}, steady_clock::now() + std::chrono::milliseconds(250)));
  });

  const int status = test_support::wait_for_pid(child);

  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 9);
}

TEST(ParentWatch, leaves_no_orphan_when_the_parent_is_killed_at_any_moment_around_the_fork) {
  constexpr unsigned kSeed = 20240607;
  std::cout << "seed " << kSeed << std::endl;  // Before the forks copy it.
  std::mt19937 random(kSeed);
  const ProcessGuard guard;
  const std::array<int, 2> no_pipe{-1, -1};

  for (int i = 0; i < 500; ++i) {
    const auto kill_at = steady_clock::now() + microseconds(random() % 2000);
    const pid_t middle = start_middle([] {}, no_pipe);
    while (steady_clock::now() < kill_at) {
    }
    ASSERT_EQ(::kill(middle, SIGKILL), 0);
    static_cast<void>(test_support::wait_for_pid(middle));
    static_cast<void>(reap_orphans());
  }

  guard.expect_clean();
}

}  // namespace
}  // namespace forklift::sys
