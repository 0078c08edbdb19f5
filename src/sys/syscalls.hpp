// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>

/// The system calls that the library cannot do without and that a test may want to see fail.
///
/// Every function is the call of that name and nothing else: -1 (or MAP_FAILED) and errno on
/// failure, no retry. All of them live in one object file of the library, so that a program which
/// defines all of them itself is linked with its own.
namespace forklift::sys::raw {

[[nodiscard]] int memfd_create(const char* name, unsigned flags) noexcept;
[[nodiscard]] int ftruncate(int fd, std::int64_t bytes) noexcept;
/// fcntl(F_ADD_SEALS).
[[nodiscard]] int add_seals(int fd, int seals) noexcept;
/// Always from offset 0 of `fd`.
[[nodiscard]] void* mmap(
    void* address, std::size_t bytes, int protection, int flags, int fd) noexcept;
[[nodiscard]] int madvise(void* address, std::size_t bytes, int advice) noexcept;
[[nodiscard]] pid_t fork() noexcept;
[[nodiscard]] int eventfd(unsigned value, int flags) noexcept;
[[nodiscard]] int pipe2(int* ends, int flags) noexcept;
[[nodiscard]] int pidfd_open(pid_t pid, unsigned flags) noexcept;
[[nodiscard]] int pidfd_send_signal(int pidfd, int signal) noexcept;
/// ppoll without a signal mask; a null `timeout` waits for ever.
[[nodiscard]] int poll(pollfd* fds, nfds_t count, const timespec* timeout) noexcept;
[[nodiscard]] int waitid(idtype_t kind, id_t id, siginfo_t* info, int options) noexcept;
/// pthread_create of a detached thread with `stack_bytes` of stack (0: the default). Returns the
/// error number, 0 on success.
[[nodiscard]] int create_thread(std::size_t stack_bytes,
                                void* (*function)(void*),
                                void* argument) noexcept;

}  // namespace forklift::sys::raw
