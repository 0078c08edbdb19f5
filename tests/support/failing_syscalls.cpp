// SPDX-License-Identifier: MIT
#include "support/failing_syscalls.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

#include "sys/syscalls.hpp"

namespace forklift::test_support {
namespace {

struct Script {
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> first{0};  // number of the first call to fail
  std::atomic<std::uint64_t> end{0};    // and of the first one after
  std::atomic<int> code{0};
};

constinit std::array<Script, static_cast<std::size_t>(Call::kCount)> scripts{};

Script& script_of(Call call) noexcept {
  return scripts.at(static_cast<std::size_t>(call));
}

}  // namespace

void fail_call(Call call, std::uint64_t nth, int code, std::uint64_t times) noexcept {
  Script& script = script_of(call);
  script.code = code;
  script.first = script.calls + nth;
  script.end = script.first + times;
}

void reset_calls() noexcept {
  for (Script& script : scripts) {
    script.calls = 0;
    script.first = 0;
    script.end = 0;
  }
}

std::uint64_t num_calls(Call call) noexcept {
  return script_of(call).calls;
}

// Counts the call; the error to answer with, 0 for none.
int next_error(Call call) noexcept {
  Script& script = script_of(call);
  const std::uint64_t number = ++script.calls;
  return number >= script.first && number < script.end ? script.code.load() : 0;
}

bool fails(Call call) noexcept {
  const int code = next_error(call);
  if (code != 0) {
    errno = code;
  }
  return code != 0;
}

}  // namespace forklift::test_support

namespace forklift::sys::raw {

using test_support::Call;
using test_support::fails;

int memfd_create(const char* name, unsigned flags) noexcept {
  return fails(Call::kMemfdCreate) ? -1 : ::memfd_create(name, flags);
}

int ftruncate(int fd, std::int64_t bytes) noexcept {
  return fails(Call::kFtruncate) ? -1 : ::ftruncate(fd, bytes);
}

int add_seals(int fd, int seals) noexcept {
  return fails(Call::kAddSeals) ? -1 : ::fcntl(fd, F_ADD_SEALS, seals);
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int fd) noexcept {
  return fails(Call::kMmap) ? MAP_FAILED : ::mmap(address, bytes, protection, flags, fd, 0);
}

int madvise(void* address, std::size_t bytes, int advice) noexcept {
  return fails(Call::kMadvise) ? -1 : ::madvise(address, bytes, advice);
}

pid_t fork() noexcept {
  return fails(Call::kFork) ? -1 : ::fork();
}

int pipe2(int* ends, int flags) noexcept {
  return fails(Call::kPipe2) ? -1 : ::pipe2(ends, flags);
}

int eventfd(unsigned value, int flags) noexcept {
  return fails(Call::kEventfd) ? -1 : ::eventfd(value, flags);
}

int pidfd_open(pid_t pid, unsigned flags) noexcept {
  return fails(Call::kPidfdOpen) ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, pid, flags));
}

int pidfd_send_signal(int pidfd, int signal) noexcept {
  return fails(Call::kPidfdSendSignal)
             ? -1
             : static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0U));
}

int poll(pollfd* fds, nfds_t count, const timespec* timeout) noexcept {
  return fails(Call::kPoll) ? -1 : ::ppoll(fds, count, timeout, nullptr);
}

int waitid(idtype_t kind, id_t id, siginfo_t* info, int options) noexcept {
  return fails(Call::kWaitid) ? -1 : ::waitid(kind, id, info, options);
}

int create_thread(std::size_t stack_bytes, void* (*function)(void*), void* argument) noexcept {
  if (const int code = test_support::next_error(Call::kCreateThread); code != 0) {
    return code;
  }
  pthread_attr_t attributes;
  static_cast<void>(::pthread_attr_init(&attributes));
  static_cast<void>(::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
  if (stack_bytes != 0) {
    static_cast<void>(::pthread_attr_setstacksize(&attributes, stack_bytes));
  }
  pthread_t thread{};
  const int code = ::pthread_create(&thread, &attributes, function, argument);
  static_cast<void>(::pthread_attr_destroy(&attributes));
  return code;
}

}  // namespace forklift::sys::raw
