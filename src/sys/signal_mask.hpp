// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

#include <csignal>
#include <initializer_list>

namespace forklift::sys {

/// Every signal.
[[nodiscard]] inline sigset_t all_signals() noexcept {
  sigset_t all{};
  static_cast<void>(sigfillset(&all));  // Cannot fail.
  return all;
}

/// Those that may as well go to another thread of the process: neither a fault of the thread's own
/// nor a profiler's tick.
[[nodiscard]] inline sigset_t signals_for_other_threads() noexcept {
  sigset_t signals = all_signals();
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF}) {
    static_cast<void>(sigdelset(&signals, own));  // Fails on wrong numbers only.
  }
  return signals;
}

/// Blocks signals in the calling thread for its lifetime, then puts the old mask back. A thread
/// made meanwhile starts with them blocked.
class SignalsBlocked {
 public:
  explicit SignalsBlocked(const sigset_t& signals) noexcept {
    static_cast<void>(::pthread_sigmask(SIG_BLOCK, &signals, &old_));  // Fails on wrong words only.
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { static_cast<void>(::pthread_sigmask(SIG_SETMASK, &old_, nullptr)); }

 private:
  sigset_t old_{};
};

}  // namespace forklift::sys
