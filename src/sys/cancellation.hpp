// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

namespace forklift::sys {

/// Puts off a pthread_cancel of this thread while it is in our own code, which waits in functions
/// that must not be unwound. The request stays and is obeyed at the thread's next cancellation
/// point behind. Thread: made and destroyed on one.
class CancellationOff {
 public:
  CancellationOff() noexcept { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  CancellationOff(const CancellationOff&) = delete;
  CancellationOff& operator=(const CancellationOff&) = delete;
  ~CancellationOff() { ::pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace forklift::sys
