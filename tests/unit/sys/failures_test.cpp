// SPDX-License-Identifier: MIT
// Linked with support/failing_syscalls.cpp in place of the library's own calls.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "support/failing_syscalls.hpp"
#include "support/in_child.hpp"
#include "support/process_guard.hpp"
#include "sys/child_process.hpp"
#include "sys/child_setup.hpp"
#include "sys/current_pid.hpp"
#include "sys/event_fd.hpp"
#include "sys/mapping.hpp"
#include "sys/mem_fd.hpp"
#include "sys/pid_fd.hpp"
#include "sys/poller.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

using test_support::Call;
using test_support::fail_call;
using test_support::num_calls;
using test_support::ProcessGuard;

// The errno of the SystemError that `action` throws, 0 when it throws none.
template <class Action>
int error_of(Action&& action) {
  try {
    action();
    return 0;
  } catch (const SystemError& error) {
    return error.code();
  }
}

ChildProcess start_child(const UniqueFd& self) {
  return ChildProcess::start(
      {.name = "forklift:w3", .hooks = {}, .parent_pidfd = self.get(), .own_pool = nullptr},
      [] { return 0; });
}

TEST(FailingSyscalls, are_linked_in_place_of_the_real_ones) {
  fail_call(Call::kEventfd, 2, ENOSPC);

  EXPECT_EQ(error_of([] { const EventFd bell; }), 0);
  EXPECT_EQ(error_of([] { const EventFd bell; }), ENOSPC);
  EXPECT_EQ(error_of([] { const EventFd bell; }), 0);
  EXPECT_EQ(num_calls(Call::kEventfd), 3U);
}

TEST(MemFdFailures, falls_back_to_a_plain_file_where_flags_are_unknown) {
  fail_call(Call::kMemfdCreate, 1, EINVAL, 2);

  const UniqueFd fd = make_mem_fd("test", 4096);

  EXPECT_TRUE(fd.is_open());
  EXPECT_EQ(num_calls(Call::kMemfdCreate), 3U);
  EXPECT_EQ(::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(MemFdFailures, goes_on_without_seals) {
  fail_call(Call::kAddSeals, 1, EPERM);

  EXPECT_TRUE(make_mem_fd("test", 4096).is_open());
}

TEST(MemFdFailures, reports_the_failed_call_and_leaks_nothing) {
  const ProcessGuard guard;
  for (const auto call : {Call::kMemfdCreate, Call::kFtruncate}) {
    fail_call(call, 1, ENOMEM);
    EXPECT_EQ(error_of([] { static_cast<void>(make_mem_fd("test", 4096)); }), ENOMEM);
  }
  guard.expect_clean();
}

TEST(MemFdFailures, sizes_again_after_a_signal_and_names_the_limit_it_runs_into) {
  fail_call(Call::kFtruncate, 1, EINTR, 3);
  EXPECT_TRUE(make_mem_fd("test", 4096).is_open());

  fail_call(Call::kFtruncate, 1, EFBIG);
  EXPECT_THROW(static_cast<void>(make_mem_fd("test", 4096)), ResourceError);
}

TEST(MappingFailures, leaves_no_address_space_reserved) {
  const auto before = test_support::count_holdings().num_maps;

  for (std::uint64_t i = 0; i < 100; ++i) {
    fail_call(Call::kMmap, 1 + i % 2, EPERM);
    EXPECT_EQ(error_of([] { static_cast<void>(Mapping::anonymous(4096)); }), EPERM);
  }

  EXPECT_LT(test_support::count_holdings().num_maps, before + 20);
}

TEST(MappingFailures, without_an_address_space_limit_is_a_plain_error) {
  fail_call(Call::kMmap, 1, ENOMEM);

  try {
    static_cast<void>(Mapping::anonymous(4096));
    FAIL() << "no error";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.code(), ENOMEM);
    EXPECT_EQ(dynamic_cast<const ResourceError*>(&error), nullptr);
  }
}

TEST(MappingFailures, advice_that_is_refused_does_no_harm) {
  Mapping mapping = Mapping::anonymous(4096);
  *mapping.data() = std::byte{5};
  fail_call(Call::kMadvise, 1, EINVAL, 3);

  mapping.give_back(0, 4096);
  mapping.dont_fork();

  EXPECT_FALSE(mapping.populate_write(0, 4096));
  EXPECT_EQ(*mapping.data(), std::byte{5});
  EXPECT_EQ(test_support::run_in_child([&] { return static_cast<int>(*mapping.data()); }), 5);
}

TEST(MappingFailures, populating_goes_on_after_signals) {
  Mapping mapping = Mapping::anonymous(4096);
  test_support::reset_calls();
  fail_call(Call::kMadvise, 1, EINTR, 3);

  static_cast<void>(mapping.populate_write(0, 4096));

  EXPECT_EQ(num_calls(Call::kMadvise), 4U);
}

// The page is made once a process: each of the two cases needs a process of its own, which ctest
// gives it.
TEST(CurrentPidFailures, asks_the_kernel_where_it_cannot_have_its_page) {
  fail_call(Call::kMmap, 1, ENOMEM);

  const auto before = num_calls(Call::kMmap);
  EXPECT_EQ(current_pid(), ::getpid());
  EXPECT_EQ(current_pid(), ::getpid());

  if (num_calls(Call::kMmap) == before) {
    GTEST_SKIP() << "another case of this process has the page already";
  }
  EXPECT_EQ(num_calls(Call::kMmap), before + 1);
  EXPECT_EQ(test_support::run_in_child([] { return current_pid() == ::getpid() ? 0 : 1; }), 0);
}

TEST(CurrentPidFailures, asks_the_kernel_where_pages_are_not_wiped) {
  fail_call(Call::kMadvise, 1, EINVAL);
  const auto before = num_calls(Call::kMadvise);

  EXPECT_EQ(current_pid(), ::getpid());

  if (num_calls(Call::kMadvise) == before) {
    GTEST_SKIP() << "another case of this process has the page already";
  }
  EXPECT_EQ(test_support::run_in_child([] { return current_pid() == ::getpid() ? 0 : 1; }), 0);
}

TEST(PollerFailures, goes_on_after_signals_and_reports_the_rest_as_broken) {
  const EventFd bell;
  static_cast<void>(bell.ring());
  std::array fds{readable(bell.fd())};
  fail_call(Call::kPoll, 1, EINTR, 5);
  EXPECT_EQ(wait_until_ready(fds, std::nullopt), Woken::kReady);

  fail_call(Call::kPoll, 1, ENOMEM);
  EXPECT_EQ(wait_until_ready(fds, std::nullopt), Woken::kBroken);
}

TEST(PidFdFailures, reports_a_kernel_without_the_call) {
  fail_call(Call::kPidfdOpen, 1, ENOSYS);

  EXPECT_EQ(error_of([] { static_cast<void>(open_pid_fd(::getpid())); }), ENOSYS);
}

TEST(ChildProcessFailures, a_refused_fork_is_an_error_with_the_name_and_leaves_nothing) {
  const UniqueFd self = open_pid_fd(::getpid());
  const ProcessGuard guard;
  fail_call(Call::kFork, 1, EAGAIN);

  try {
    static_cast<void>(start_child(self));
    FAIL() << "no error";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.operation(), "fork");
    EXPECT_EQ(error.object(), "forklift:w3");
    EXPECT_EQ(error.code(), EAGAIN);
  }
  guard.expect_clean();
}

TEST(ChildProcessFailures, the_parent_hook_runs_after_a_refused_fork_too) {
  static constinit int num_held = 0;
  const UniqueFd self = open_pid_fd(::getpid());
  fail_call(Call::kFork, 1, ENOMEM);

  EXPECT_EQ(error_of([&] {
              static_cast<void>(ChildProcess::start(
                  {.name = "w",
                   .hooks = {.before = [] { ++num_held; }, .parent = [] { --num_held; }},
                   .parent_pidfd = self.get(),
                   .own_pool = nullptr},
                  [] { return 0; }));
            }),
            ENOMEM);

  EXPECT_EQ(num_held, 0);
}

TEST(ChildProcessFailures, a_child_without_a_pidfd_is_killed_and_reaped) {
  const UniqueFd self = open_pid_fd(::getpid());
  const ProcessGuard guard;
  fail_call(Call::kPidfdOpen, 1, ENOSYS);
  EXPECT_EQ(error_of([&] { static_cast<void>(start_child(self)); }), ENOSYS);

  fail_call(Call::kPidfdOpen, 1, EMFILE);
  EXPECT_THROW(static_cast<void>(start_child(self)), ResourceError);

  guard.expect_clean();
}

TEST(ChildProcessFailures, a_child_that_gets_no_thread_says_so_by_its_status) {
  const UniqueFd self = open_pid_fd(::getpid());
  fail_call(Call::kCreateThread, 1, EAGAIN);

  ChildProcess child = start_child(self);

  EXPECT_EQ(child.reap_until(std::nullopt),
            (ExitStatus{ExitStatus::Kind::kExited, kExitStartFailed}));
}

TEST(ChildProcessFailures, a_stack_that_is_too_small_is_tried_again_with_the_default) {
  const UniqueFd self = open_pid_fd(::getpid());
  fail_call(Call::kCreateThread, 1, EINVAL);

  ChildProcess child = start_child(self);

  EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{ExitStatus::Kind::kExited, 0}));
}

int sleep_for_ever() {
  for (;;) {
    ::pause();
  }
}

TEST(ChildProcessFailures, is_waited_for_and_killed_by_number_where_pidfds_can_do_neither) {
  const UniqueFd self = open_pid_fd(::getpid());
  const ProcessGuard guard;
  {
    ChildProcess child = ChildProcess::start(
        {.name = "w", .hooks = {}, .parent_pidfd = self.get(), .own_pool = nullptr},
        sleep_for_ever);
    fail_call(Call::kPidfdSendSignal, 1, ENOSYS);
    fail_call(Call::kWaitid, 1, EINVAL);
    EXPECT_EQ(child.try_reap(), std::nullopt);
    EXPECT_TRUE(child.kill(SIGKILL));
    fail_call(Call::kWaitid, 1, EINTR, 3);
    EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{ExitStatus::Kind::kSignaled, SIGKILL}));
  }
  guard.expect_clean();
}

}  // namespace
}  // namespace forklift::sys
