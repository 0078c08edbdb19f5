// SPDX-License-Identifier: MIT
#include "support/single_step.hpp"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>

namespace forklift::testing {
namespace {

constexpr int kBodyThrew = 99;

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

pid_t wait_for(pid_t pid, int* status) noexcept {
  pid_t result = -1;
  do {
    result = ::waitpid(pid, status, 0);
  } while (result < 0 && errno == EINTR);
  return result;
}

void run_traced(const std::function<void()>& body) noexcept {
  try {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) {
      body();
      SteppedChild::stop_here();
      ::_exit(0);
    }
  } catch (...) {
    ::_exit(kBodyThrew);  // The parent sees an exit instead of a stop and throws.
  }
  ::_exit(kBodyThrew);
}

}  // namespace

bool SteppedChild::is_possible() {
  try {
    SteppedChild child([] { stop_here(); });
    return child.step(1) == 1;
  } catch (const std::exception&) {
    return false;  // Which call was refused does not matter to the caller.
  }
}

SteppedChild::SteppedChild(const std::function<void()>& body) : pid_(::fork()) {
  if (pid_ < 0) {
    throw_errno("fork");
  }
  if (pid_ == 0) {
    run_traced(body);
  }
  try {
    wait_for_stop();
    if (::ptrace(PTRACE_SETOPTIONS, pid_, nullptr, PTRACE_O_EXITKILL) != 0) {
      throw_errno("ptrace(PTRACE_SETOPTIONS)");
    }
  } catch (...) {
    kill();
    throw;
  }
}

SteppedChild::~SteppedChild() {
  kill();
}

void SteppedChild::stop_here() noexcept {
  // Not raise(): that changes the signal mask on its way back, which would be counted.
  static_cast<void>(::syscall(SYS_kill, ::getpid(), SIGSTOP));
}

int SteppedChild::step(int count) {
  for (int done = 0; done < count; ++done) {
    if (is_finished_) {
      return done;
    }
    if (::ptrace(PTRACE_SINGLESTEP, pid_, nullptr, nullptr) != 0) {
      throw_errno("ptrace(PTRACE_SINGLESTEP)");
    }
    int status = 0;
    if (wait_for(pid_, &status) != pid_ || !WIFSTOPPED(status)) {
      throw std::runtime_error("a stepped child ended by itself");
    }
    if (WSTOPSIG(status) == SIGSTOP) {
      is_finished_ = true;
    } else if (WSTOPSIG(status) != SIGTRAP) {
      throw std::runtime_error("a stepped child got signal " + std::to_string(WSTOPSIG(status)));
    }
  }
  return count;
}

void SteppedChild::finish() {
  if (is_finished_) {
    return;
  }
  if (::ptrace(PTRACE_CONT, pid_, nullptr, nullptr) != 0) {
    throw_errno("ptrace(PTRACE_CONT)");
  }
  wait_for_stop();
  is_finished_ = true;
}

void SteppedChild::kill() noexcept {
  if (pid_ <= 0) {
    return;
  }
  int status = 0;
  // A failure means that it is gone already; the wait below tells.
  static_cast<void>(::kill(pid_, SIGKILL));
  while (wait_for(pid_, &status) == pid_ && !WIFSIGNALED(status) && !WIFEXITED(status)) {
  }
  pid_ = -1;
}

void SteppedChild::wait_for_stop() {
  int status = 0;
  if (wait_for(pid_, &status) != pid_) {
    throw_errno("waitpid");
  }
  if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP) {
    throw std::runtime_error("a stepped child did not reach its stop");
  }
}

}  // namespace forklift::testing
