// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

namespace forklift::sys {

/// Starts a small detached thread that ends this process by _exit(kExitParentGone) once `parent`,
/// the process that forked it, is gone, whatever the other threads do meanwhile.
///
/// `parent_pidfd` (opened by the parent itself, before the fork) stays the caller's. When user code
/// has closed it, or it is -1, the thread looks at getppid() every 100 ms instead. PR_SET_PDEATHSIG
/// would follow the forking thread of the parent, not the parent.
/// Errors: SystemError when no thread can be made.
void start_parent_watch(int parent_pidfd, pid_t parent);

}  // namespace forklift::sys
