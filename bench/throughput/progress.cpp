// SPDX-License-Identifier: MIT
#include "throughput/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace bench {

Progress::Progress(std::size_t num_steps)
    : num_steps_(num_steps),
      on_terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  clear();
}

void Progress::step(const std::string& heading, const std::string& detail) {
  ++done_;
  const std::size_t percent = done_ * 100 / (num_steps_ == 0 ? 1 : num_steps_);
  if (on_terminal_) {
    fmt::print(stderr, "\r\033[K[{:3}%] {}: {}", percent, heading, detail);
  } else if (heading != heading_) {
    fmt::print(stderr, "[{:3}%] {}\n", percent, heading);
  }
  heading_ = heading;
  static_cast<void>(std::fflush(stderr));  // a progress line that cannot be shown is no error
}

void Progress::clear() {
  if (on_terminal_) {
    fmt::print(stderr, "\r\033[K");
    static_cast<void>(std::fflush(stderr));
  }
}

}  // namespace bench
