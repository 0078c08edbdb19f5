// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "throughput/channel.hpp"

namespace bench {

/// Child processes that each run a job when told to, and nothing else: the upper bound of what
/// forked workers can do.
class ForkedLoops {
 public:
  /// `job(worker, mode)` is run in child `worker`. Errors: std::system_error.
  ForkedLoops(std::size_t num_workers,
              const std::function<void(std::size_t worker, char mode)>& job);
  ForkedLoops(ForkedLoops&&) = delete;
  ForkedLoops& operator=(ForkedLoops&&) = delete;
  ForkedLoops(const ForkedLoops&) = delete;
  ForkedLoops& operator=(const ForkedLoops&) = delete;
  ~ForkedLoops() = default;

  /// Starts all jobs and returns when all are done. Errors: std::runtime_error when a child is
  /// gone.
  void run(char mode);

 private:
  /// Killed and reaped with its owner: later children hold the earlier ones' pipe ends, so closing
  /// would not end them.
  class Child {
   public:
    Child(std::size_t worker, const std::function<void(std::size_t worker, char mode)>& job);
    Child(Child&& other) noexcept
        : pid_(std::exchange(other.pid_, -1)),
          commands_(std::move(other.commands_)),
          done_(std::move(other.done_)) {}
    Child& operator=(Child&&) = delete;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    void start(char mode) const;
    void wait() const;

   private:
    pid_t pid_ = -1;
    OwnedFd commands_;
    OwnedFd done_;
  };

  std::vector<Child> children_;
};

}  // namespace bench
