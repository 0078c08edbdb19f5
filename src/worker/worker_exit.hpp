// SPDX-License-Identifier: MIT
#pragma once

#include "sys/child_process.hpp"

#include <forklift/error.hpp>

namespace forklift::worker {

/// A sentence on why the loop of a worker thread ended with `status` before it was told to.
[[nodiscard]] const char* hint_for_thread(int status) noexcept;

/// Fills in how a worker ended, and a sentence on what that often means.
void describe_exit(const sys::ExitStatus& status, WorkerDied::Record& record);

}  // namespace forklift::worker
