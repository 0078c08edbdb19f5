// SPDX-License-Identifier: MIT
#include "latency/bare_hand_over.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "latency/clock.hpp"
#include "throughput/pipe.hpp"

namespace bench {
namespace {

void write_times(int pipe, std::size_t count, std::int64_t work_ns) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t done = compute_for(work_ns);
    if (::write(pipe, &done, sizeof done) != sizeof done) {
      return;
    }
  }
}

}  // namespace

std::int64_t compute_for(std::int64_t work_ns) {
  const std::int64_t end = now_ns() + work_ns;
  std::int64_t now = now_ns();
  while (now < end) {
    now = now_ns();
  }
  return now;
}

std::vector<double> bare_hand_overs(std::size_t count, std::int64_t work_ns) {
  Pipe pipe = make_pipe();
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (child == 0) {
    write_times(pipe.write_end.get(), count, work_ns);
    ::_exit(0);
  }
  pipe.write_end.reset();  // the child's end is the last one: its exit ends the reading
  std::vector<double> out;
  std::int64_t done = 0;
  while (::read(pipe.read_end.get(), &done, sizeof done) == sizeof done) {
    out.push_back(static_cast<double>(now_ns() - done) / 1e3);
  }
  ::waitpid(child, nullptr, 0);
  return out;
}

}  // namespace bench
