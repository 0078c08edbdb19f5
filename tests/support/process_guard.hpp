// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "support/leak_counter.hpp"

namespace forklift::test_support {

/// Proves that a stretch of a test leaves nothing behind: no process at any depth (orphans come to
/// this process while the guard lives, so they are seen too), no descriptor, no thread, no shared
/// mapping, no file in /dev/shm.
///
/// Private mappings are compared with kMapTolerance of room: the allocator makes arenas and the C
/// library keeps stacks of ended threads, a bounded number of times; twice that where
/// AddressSanitizer's allocator is in the process, which maps more. A leak a repetition shows when
/// the test repeats what it does more often than that.
class ProcessGuard {
 public:
  static constexpr std::size_t kMapTolerance = 32;

  ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;
  ~ProcessGuard();

  /// A failure of the running test for each thing that is left, by name. What is on its way out is
  /// given a moment: a process killed a microsecond ago, a thread just joined.
  void expect_clean() const;
  /// What is left, a line each; empty when clean. Looks once.
  [[nodiscard]] std::vector<std::string> leftovers() const;

 private:
  int was_subreaper_ = 0;
  Holdings before_;
};

/// Waits until `is_done()`, looking every millisecond, at most about `seconds`. For ends that
/// others bring about; a test never relies on the pace.
template <class IsDone>
[[nodiscard]] bool eventually(IsDone&& is_done, int seconds = 5);

/// Sleeps for a millisecond.
void pause_a_little();

template <class IsDone>
bool eventually(IsDone&& is_done, int seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (is_done()) {
      return true;
    }
    pause_a_little();
  }
  return is_done();
}

}  // namespace forklift::test_support
