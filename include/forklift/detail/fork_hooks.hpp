// SPDX-License-Identifier: MIT
#pragma once

namespace forklift::detail {

/// What a library of the user's samples wants done around the fork of a worker (a random generator
/// to be held whole, a seed to be set). Plain functions, so that the core knows nothing of it.
///
/// Thread: all three run in the thread that forks, with every signal blocked.
/// Errors: none of them may throw; a `child` that throws ends its worker before it has begun.
struct ForkHooks {
  /// In the parent, just before the fork. Takes the locks that a child must not find held by
  /// somebody else.
  void (*before)() = nullptr;
  /// In the parent, just after the fork, also when the fork failed. Undoes `before`.
  void (*parent)() = nullptr;
  /// In the child, just after the fork and after the thread counts were set to 1. Undoes `before`
  /// there.
  void (*child)() = nullptr;
};

}  // namespace forklift::detail
