// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace forklift::test_support {

/// The wait status of `pid`, waited for.
[[nodiscard]] inline int wait_for_pid(pid_t pid) {
  int status = -1;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Whether this process has no children left; reaps those that ended.
[[nodiscard]] inline bool is_childless() {
  pid_t pid = 0;
  do {
    pid = ::waitpid(-1, nullptr, WNOHANG);
  } while (pid > 0);
  return pid < 0 && errno == ECHILD;
}

/// Runs `body` in a forked child that leaves by _exit(body()) and returns its exit status, or minus
/// the signal that killed it.
template <class Body>
[[nodiscard]] int run_in_child(Body&& body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::_exit(static_cast<int>(body()));
  }
  const int status = wait_for_pid(pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace forklift::test_support
