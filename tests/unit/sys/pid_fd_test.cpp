// SPDX-License-Identifier: MIT
#include "sys/pid_fd.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "sys/poller.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

TEST(PidFd, of_a_living_process_is_not_gone) {
  const UniqueFd self = open_pid_fd(::getpid());

  EXPECT_FALSE(is_gone(self));
  EXPECT_EQ(::fcntl(self.get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(PidFd, tells_the_end_before_the_process_is_reaped) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::pause();
    ::_exit(0);
  }
  const UniqueFd child = open_pid_fd(pid);
  EXPECT_FALSE(is_gone(child));

  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  std::array fds{readable(child.get())};

  EXPECT_EQ(wait_until_ready(fds, std::nullopt), Woken::kReady);
  EXPECT_TRUE(is_gone(child));
  EXPECT_TRUE(WIFSIGNALED(test_support::wait_for_pid(pid)));
  EXPECT_TRUE(is_gone(child));
}

TEST(PidFd, of_a_process_that_is_not_there_is_an_error_with_its_number) {
  try {
    static_cast<void>(open_pid_fd(0x3ffffff));
    FAIL() << "no error";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.operation(), "pidfd_open");
    EXPECT_EQ(error.code(), ESRCH);
    EXPECT_NE(error.object().find("67108863"), std::string::npos);
  }
}

TEST(PidFd, that_is_closed_does_not_say_gone) {
  UniqueFd self = open_pid_fd(::getpid());
  const int number = self.get();

  self.reset();

  EXPECT_FALSE(is_gone(number));
}

}  // namespace
}  // namespace forklift::sys
