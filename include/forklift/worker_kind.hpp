// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace forklift {

/// What the workers of a loader are.
enum class WorkerKind : std::uint8_t {
  /// Forked processes, each with a copy-on-write copy of the dataset.
  process,
  /// Threads of this process, which share the dataset: its getters must be const and may be called
  /// by several threads at a time. Nothing is forked, and a stuck one cannot be killed.
  thread,
};

}  // namespace forklift
