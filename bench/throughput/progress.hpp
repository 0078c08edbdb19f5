// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace bench {

/// Says on stderr what is being done: one line that is rewritten on a terminal, else a line for
/// each new heading.
class Progress {
 public:
  explicit Progress(std::size_t num_steps);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// A step of the given number begins. `heading` is the part that a file is told about.
  void step(const std::string& heading, const std::string& detail);
  /// Takes the line off the terminal, so that results can be printed.
  void clear();

 private:
  std::size_t num_steps_;
  std::size_t done_ = 0;
  bool on_terminal_;
  std::string heading_;
};

}  // namespace bench
