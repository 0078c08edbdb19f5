// SPDX-License-Identifier: MIT
// Owns: the parent's side owns the pidfd and the exit status of one child; the eventfd that lets
// the child go lives for the length of start() only.
// Threads: the forking thread has all signals blocked and the hooks' locks taken over the fork; the
// child's only thread is its copy. The child waits on nothing but the go and its parent's end, so
// neither can wait for the other for ever: a parent that fails kills the child, one that dies wakes
// it. From fork to _exit the child never returns into the code of its parent.
#include "sys/child_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <utility>

#include "sys/cancellation.hpp"
#include "sys/child_setup.hpp"
#include "sys/current_pid.hpp"
#include "sys/event_fd.hpp"
#include "sys/parent_watch.hpp"
#include "sys/pid_fd.hpp"
#include "sys/pool_registry.hpp"
#include "sys/resource_limits.hpp"
#include "sys/signal_mask.hpp"
#include "sys/syscalls.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

constexpr std::chrono::seconds kKillWait{5};
constexpr std::chrono::milliseconds kParentLookEvery{100};
constexpr std::chrono::milliseconds kReapLookEvery{1};

void call(void (*hook)()) {
  if (hook != nullptr) {
    hook();
  }
}

// What the child needs from before the fork.
struct Start {
  const ChildPlan& plan;
  const std::function<int()>& body;
  ThreadCountSetters setters;
  EventFd go;
  pid_t parent;
};

void wait_for_go(const Start& start) {
  const int parent_pidfd = start.plan.parent_pidfd;
  std::array fds{readable(start.go.fd()), readable(parent_pidfd)};
  for (;;) {
    const Deadline next_look =
        parent_pidfd >= 0 ? Deadline{} : std::chrono::steady_clock::now() + kParentLookEvery;
    if (wait_until_ready(fds, next_look) == Woken::kBroken) {
      ::_exit(kExitStartFailed);
    }
    if (fds[0].revents != 0) {
      return;
    }
    if (::getppid() != start.parent) {
      ::_exit(kExitParentGone);
    }
  }
}

void set_up(Start& start) {
  limit_to_one_thread(start.setters);
  call(start.plan.hooks.child);
  reset_signals();
  name_process(start.plan.name.c_str());
  PoolRegistry::drop_others(start.plan.own_pool);
  wait_for_go(start);
  start.go.close();
  start_parent_watch(start.plan.parent_pidfd, start.parent);
}

[[noreturn]] void run_child(Start& start) noexcept {
  try {
    set_up(start);
  } catch (...) {
    ::_exit(kExitStartFailed);  // There is nobody to tell; the status names the place.
  }
  try {
    ::_exit(start.body());
  } catch (...) {
    // pthread_exit in the body unwinds without an exception. The watch thread would keep a process
    // alive that does nothing.
    ::_exit(std::current_exception() != nullptr ? kExitUncaught : kExitThreadEnded);
  }
}

ExitStatus status_of(const siginfo_t& info) noexcept {
  return {info.si_code == CLD_EXITED ? ExitStatus::Kind::kExited : ExitStatus::Kind::kSignaled,
          info.si_status};
}

// Where user code has closed the pidfd the number serves: it is not used again before we reap.
int wait_for(const UniqueFd& pidfd, pid_t pid, siginfo_t* info, int options) noexcept {
  const CancellationOff off;
  int result = 0;
  do {
    result = raw::waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), info, options);
    if (result != 0 && (errno == EBADF || errno == EINVAL)) {
      result = raw::waitid(P_PID, static_cast<id_t>(pid), info, options);
    }
  } while (result != 0 && errno == EINTR);
  return result;
}

// For a child of which there is no pidfd yet: it has not begun and nobody else knows its pid.
void kill_unstarted(pid_t pid) noexcept {
  static_cast<void>(::kill(pid, SIGKILL));  // Fails only if it is gone.
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// Returns in the parent only.
pid_t fork_child(Start& start) {
  const SignalsBlocked blocked(all_signals());
  call(start.plan.hooks.before);
  const pid_t pid = raw::fork();
  const int code = errno;
  if (pid == 0) {
    run_child(start);
  }
  try {
    call(start.plan.hooks.parent);
  } catch (...) {
    if (pid > 0) {
      kill_unstarted(pid);
    }
    throw;
  }
  if (pid < 0) {
    throw SystemError("fork", start.plan.name, code);
  }
  return pid;
}

}  // namespace

ChildProcess ChildProcess::start(const ChildPlan& plan, const std::function<int()>& body) {
  Start start{.plan = plan,
              .body = body,
              .setters = find_thread_count_setters(),
              .go = {},
              .parent = current_pid()};
  const pid_t pid = fork_child(start);
  UniqueFd pidfd(raw::pidfd_open(pid, 0));
  if (!pidfd.is_open()) {
    const int code = errno;
    kill_unstarted(pid);
    throw_system_error("pidfd_open", plan.name, code);
  }
  ChildProcess child(pid, std::move(pidfd));
  if (!start.go.ring()) {
    throw SystemError("write", plan.name, EBADF);  // Another thread closed our descriptor.
  }
  return child;
}

ChildProcess::ChildProcess(pid_t pid, UniqueFd pidfd) noexcept
    : pid_(pid),
      owner_(current_pid()),
      pidfd_(std::move(pidfd)) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      owner_(std::exchange(other.owner_, 0)),
      pidfd_(std::move(other.pidfd_)),
      status_(std::exchange(other.status_, std::nullopt)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(owner_, other.owner_);
  std::swap(pidfd_, other.pidfd_);
  std::swap(status_, other.status_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (is_ours() && !try_reap().has_value()) {
    static_cast<void>(kill(SIGKILL));  // It may have ended by now.
    static_cast<void>(reap_until(std::chrono::steady_clock::now() + kKillWait));
  }
}

bool ChildProcess::is_ours() const noexcept {
  return pid_ != 0 && owner_ == current_pid();
}

std::optional<ExitStatus> ChildProcess::try_reap() noexcept {
  if (status_.has_value() || !is_ours()) {
    return status_;
  }
  siginfo_t info{};
  if (wait_for(pidfd_, pid_, &info, WEXITED | WNOHANG) != 0) {
    status_ = ExitStatus{};  // ECHILD: the host took the status. No error of ours.
  } else if (info.si_pid != 0) {
    status_ = status_of(info);
  }
  return status_;
}

std::optional<ExitStatus> ChildProcess::reap_until(Deadline deadline) noexcept {
  while (is_ours() && !try_reap().has_value()) {
    std::array fds{readable(pidfd_.get())};
    if (wait_until_ready(fds, deadline) == Woken::kTimedOut) {
      break;
    }
    if (try_reap().has_value()) {
      break;
    }
    // Gone, yet not ours to reap before a debugger has let go of it, or a pidfd that is closed.
    const auto now = std::chrono::steady_clock::now();
    if (deadline.has_value() && now >= *deadline) {
      break;
    }
    static_cast<void>(wait_until_ready({}, now + kReapLookEvery));
  }
  return try_reap();
}

bool ChildProcess::kill(int signal) noexcept {
  if (!is_ours() || try_reap().has_value()) {
    return false;
  }
  if (raw::pidfd_send_signal(pidfd_.get(), signal) == 0) {
    return true;
  }
  // No pidfd any more, or a sandbox without the call. The child was not reaped a moment ago.
  return errno != ESRCH && ::kill(pid_, signal) == 0;
}

bool ChildProcess::is_gone() const noexcept {
  return status_.has_value() || sys::is_gone(pidfd_);
}

}  // namespace forklift::sys
