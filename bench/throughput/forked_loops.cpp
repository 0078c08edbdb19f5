// SPDX-License-Identifier: MIT
#include "throughput/forked_loops.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>

namespace bench {
namespace {

bool read_byte(int fd, char& byte) {
  ssize_t got = -1;
  do {
    got = read(fd, &byte, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

/// What a child does until its parent is gone.
[[noreturn]] void obey(int commands, int done, const std::function<void(char mode)>& job) {
  for (char mode = 0; read_byte(commands, mode);) {
    job(mode);
    if (write(done, &mode, 1) != 1) {
      break;
    }
  }
  _exit(0);
}

}  // namespace

ForkedLoops::Child::Child(std::size_t worker,
                          const std::function<void(std::size_t worker, char mode)>& job) {
  Pipe commands = make_pipe();
  Pipe done = make_pipe();
  pid_ = fork();
  if (pid_ < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    commands.write_end.reset();
    obey(commands.read_end.get(), done.write_end.get(), [&](char mode) { job(worker, mode); });
  }
  commands_ = std::move(commands.write_end);
  done_ = std::move(done.read_end);
}

ForkedLoops::Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

void ForkedLoops::Child::start(char mode) const {
  if (write(commands_.get(), &mode, 1) != 1) {
    throw std::runtime_error("a raw loop has ended");
  }
}

void ForkedLoops::Child::wait() const {
  char answer = 0;
  if (!read_byte(done_.get(), answer)) {
    throw std::runtime_error("a raw loop has ended");
  }
}

ForkedLoops::ForkedLoops(std::size_t num_workers,
                         const std::function<void(std::size_t worker, char mode)>& job) {
  children_.reserve(num_workers);
  for (std::size_t worker = 0; worker < num_workers; ++worker) {
    children_.emplace_back(worker, job);
  }
}

void ForkedLoops::run(char mode) {
  for (const Child& child : children_) {
    child.start(mode);
  }
  for (const Child& child : children_) {
    child.wait();
  }
}

}  // namespace bench
