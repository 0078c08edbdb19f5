// SPDX-License-Identifier: MIT
#pragma once

#include "sys/child_process.hpp"

#include <forklift/error.hpp>

namespace forklift::worker {

/// Fills in how a worker ended, and a sentence on what that often means.
void describe_exit(const sys::ExitStatus& status, WorkerDied::Record& record);

}  // namespace forklift::worker
