// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

#include <csignal>

namespace forklift::sys {

/// Blocks all signals in the calling thread for its lifetime, then puts the old mask back.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() noexcept {
    sigset_t all{};
    static_cast<void>(sigfillset(&all));                             // Cannot fail.
    static_cast<void>(::pthread_sigmask(SIG_SETMASK, &all, &old_));  // Fails on wrong words only.
  }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;
  ~AllSignalsBlocked() { static_cast<void>(::pthread_sigmask(SIG_SETMASK, &old_, nullptr)); }

 private:
  sigset_t old_{};
};

}  // namespace forklift::sys
