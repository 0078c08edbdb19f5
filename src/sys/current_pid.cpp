// SPDX-License-Identifier: MIT
#include "sys/current_pid.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <memory>

#include "sys/syscalls.hpp"

namespace forklift::sys {
namespace {

// The pid lives in a page that the kernel zeroes in forked children (MADV_WIPEONFORK): a zero says
// "ask again". A pthread_atfork handler would miss forks made by a bare system call.
using Cell = std::atomic<pid_t>;

constexpr std::size_t kCellBytes = 4096;  // one page or less; mmap rounds up

constinit std::atomic<Cell*> shared_cell{nullptr};
constinit std::atomic<bool> has_no_cell{false};

pid_t ask(Cell& cell) noexcept {
  const pid_t pid = ::getpid();
  cell.store(pid, std::memory_order_relaxed);  // All writers store the same value.
  return pid;
}

// Once a process tree, twice when two threads come first at the same time.
Cell* make_cell() noexcept {
  void* const page =
      raw::mmap(nullptr, kCellBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (page == MAP_FAILED) {
    return nullptr;
  }
  Cell* expected = nullptr;
  if (raw::madvise(page, kCellBytes, MADV_WIPEONFORK) == 0) {
    Cell* const made = std::construct_at(static_cast<Cell*>(page), 0);
    if (shared_cell.compare_exchange_strong(expected, made)) {
      return made;
    }
  }
  static_cast<void>(::munmap(page, kCellBytes));  // A page lost at worst.
  return expected;
}

pid_t first_current_pid() noexcept {
  if (!has_no_cell.load(std::memory_order_relaxed)) {  // Only a hint: no partner is needed.
    if (Cell* const cell = make_cell(); cell != nullptr) {
      return ask(*cell);
    }
    has_no_cell.store(true, std::memory_order_relaxed);
  }
  return ::getpid();
}

}  // namespace

pid_t current_pid() noexcept {
  // Pairs with the compare_exchange in make_cell().
  Cell* const cell = shared_cell.load(std::memory_order_acquire);
  if (cell == nullptr) {
    return first_current_pid();
  }
  // The value means only itself, nothing is read through it.
  const pid_t pid = cell->load(std::memory_order_relaxed);
  return pid != 0 ? pid : ask(*cell);
}

}  // namespace forklift::sys
