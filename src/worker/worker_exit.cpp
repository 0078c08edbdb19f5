// SPDX-License-Identifier: MIT
#include "worker/worker_exit.hpp"

#include <csignal>

#include "sys/child_setup.hpp"

namespace forklift::worker {
namespace {

const char* hint_for_signal(int signal) {
  switch (signal) {
    case SIGKILL:
      return "Signal 9 often comes from the kernel when memory runs out: lower num_workers, "
             "batch_size or max_ring_bytes.";
    case SIGBUS:
      return "A bus error often means that a mapped file shrank or that memory behind a file "
             "system ran out.";
    case SIGSEGV:
    case SIGFPE:
    case SIGILL:
    case SIGABRT:
      return "The dataset, a transform or the collate_fn crashed: num_workers = 0 runs the same "
             "code where a debugger sees it.";
    default:
      return "";
  }
}

const char* hint_for_status(int status) {
  switch (status) {
    case sys::kExitStartFailed:
      return "Its set-up failed: no thread could be made, or a hook of a library threw.";
    case sys::kExitUncaught:
      return "An exception left the worker itself.";
    case sys::kExitFdsClosed:
      return "Code of the dataset closed file descriptors that are not its own.";
    case sys::kExitThreadEnded:
      return "Code of the dataset ended the worker's thread (pthread_exit).";
    default:
      return "Code of the dataset called exit or _exit: throw an exception instead.";
  }
}

}  // namespace

const char* hint_for_thread(int status) noexcept {
  switch (status) {
    case sys::kExitUncaught:
      return "An exception left the worker itself.";
    case sys::kExitFdsClosed:
      return "Code of this program closed file descriptors of the loader.";
    default:
      return "Code of the dataset ended the thread (pthread_exit, pthread_cancel), or wrote over "
             "memory of the loader.";
  }
}

void describe_exit(const sys::ExitStatus& status, WorkerDied::Record& record) {
  if (status.kind == sys::ExitStatus::Kind::kSignaled) {
    record.signal = status.value;
    record.hint = hint_for_signal(status.value);
  } else if (status.kind == sys::ExitStatus::Kind::kExited) {
    record.exit_status = status.value;
    record.hint = hint_for_status(status.value);
  }
}

}  // namespace forklift::worker
