// SPDX-License-Identifier: MIT
#pragma once

#include "sys/unique_fd.hpp"

namespace forklift::sys {

/// A pipe between a parent and one child by which the parent sees that the child can no longer be
/// reached although its process lives: it closed its descriptors, or replaced its program (execve
/// closes this one). Nothing is ever written.
///
/// Owner:  made by the parent before the fork; afterwards each side keeps its end and drops the
/// other. A grandchild holds the child's end too and hides its loss until it ends.
class LifeLine {
 public:
  LifeLine() = default;  ///< none
  /// Errors: SystemError ("pipe2"), ResourceError without descriptors.
  [[nodiscard]] static LifeLine make();

  /// In the child.
  void keep_child_end() noexcept { parent_end_.reset(); }
  /// In the parent.
  void keep_parent_end() noexcept { child_end_.reset(); }
  void close() noexcept {
    parent_end_.reset();
    child_end_.reset();
  }

  /// What the parent polls: it hangs up when nobody holds the child's end.
  [[nodiscard]] int fd() const noexcept { return parent_end_.get(); }

 private:
  LifeLine(UniqueFd parent_end, UniqueFd child_end) noexcept;

  UniqueFd parent_end_;
  UniqueFd child_end_;
};

}  // namespace forklift::sys
