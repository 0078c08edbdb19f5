// SPDX-License-Identifier: MIT
// Owns: nothing but its own small record; the pidfd is the caller's. The thread takes no lock,
// allocates nothing and never ends before its process does, so that it cannot be held up by
// whatever user code does in the other threads.
#include "sys/parent_watch.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>

#include "sys/child_setup.hpp"
#include "sys/poller.hpp"
#include "sys/signal_mask.hpp"
#include "sys/syscalls.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 10;
constexpr std::chrono::milliseconds kLookEvery{100};

struct Watch {
  int parent_pidfd;
  pid_t parent;
};

void wait_for_end(const Watch& watch) noexcept {
  if (watch.parent_pidfd >= 0) {
    std::array fds{readable(watch.parent_pidfd)};
    // For one wait only: user code may have closed the descriptor, or closed it and got the number
    // again for a file of its own. Whatever the reason of waking, getppid() decides.
    static_cast<void>(wait_until_ready(fds, std::nullopt));
  }
  while (::getppid() == watch.parent) {
    const auto next_look = std::chrono::steady_clock::now() + kLookEvery;
    static_cast<void>(wait_until_ready({}, next_look));
  }
}

void* watch_parent(void* argument) noexcept {
  const std::unique_ptr<Watch> watch(static_cast<Watch*>(argument));
  static_cast<void>(::pthread_setname_np(::pthread_self(), "forklift:watch"));  // Only a name.
  wait_for_end(*watch);
  ::_exit(kExitParentGone);
}

}  // namespace

void start_parent_watch(int parent_pidfd, pid_t parent) {
  auto watch = std::make_unique<Watch>(Watch{.parent_pidfd = parent_pidfd, .parent = parent});
  // The new thread inherits the mask: handlers of the user run in the user's threads.
  const SignalsBlocked blocked(all_signals());
  int code = raw::create_thread(kStackBytes, watch_parent, watch.get());
  if (code == EINVAL) {  // Much thread-local storage: too small a stack to start on.
    code = raw::create_thread(0, watch_parent, watch.get());
  }
  if (code != 0) {
    throw SystemError("pthread_create", "watch of the parent process", code);
  }
  static_cast<void>(watch.release());  // The thread owns it now.
}

}  // namespace forklift::sys
