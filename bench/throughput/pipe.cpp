// SPDX-License-Identifier: MIT
#include "throughput/pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace bench {

OwnedFd::~OwnedFd() {
  if (fd_ >= 0) {
    ::close(fd_);  // nothing can be done about a failure
  }
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe2");
  }
  return {OwnedFd(ends[0]), OwnedFd(ends[1])};
}

}  // namespace bench
