// SPDX-License-Identifier: MIT
#include "sys/syscalls.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forklift::sys::raw {

int memfd_create(const char* name, unsigned flags) noexcept {
  return ::memfd_create(name, flags);
}

int ftruncate(int fd, std::int64_t bytes) noexcept {
  return ::ftruncate(fd, bytes);
}

int add_seals(int fd, int seals) noexcept {
  return ::fcntl(fd, F_ADD_SEALS, seals);
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int fd) noexcept {
  return ::mmap(address, bytes, protection, flags, fd, 0);
}

int madvise(void* address, std::size_t bytes, int advice) noexcept {
  return ::madvise(address, bytes, advice);
}

pid_t fork() noexcept {
  return ::fork();
}

int eventfd(unsigned value, int flags) noexcept {
  return ::eventfd(value, flags);
}

// glibc has wrappers of the pidfd calls only from 2.36 on.
int pipe2(int* ends, int flags) noexcept {
  return ::pipe2(ends, flags);
}

int pidfd_open(pid_t pid, unsigned flags) noexcept {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, flags));
}

int pidfd_send_signal(int pidfd, int signal) noexcept {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0U));
}

int poll(pollfd* fds, nfds_t count, const timespec* timeout) noexcept {
  return ::ppoll(fds, count, timeout, nullptr);
}

int waitid(idtype_t kind, id_t id, siginfo_t* info, int options) noexcept {
  return ::waitid(kind, id, info, options);
}

int create_thread(std::size_t stack_bytes, void* (*function)(void*), void* argument) noexcept {
  pthread_attr_t attributes;
  if (const int code = ::pthread_attr_init(&attributes); code != 0) {
    return code;
  }
  int code = ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (code == 0 && stack_bytes != 0) {
    code = ::pthread_attr_setstacksize(&attributes, stack_bytes);
  }
  pthread_t thread{};
  if (code == 0) {
    code = ::pthread_create(&thread, &attributes, function, argument);
  }
  static_cast<void>(::pthread_attr_destroy(&attributes));  // Cannot fail on Linux.
  return code;
}

}  // namespace forklift::sys::raw
