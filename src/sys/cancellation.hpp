// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

namespace forklift::sys {

/// Puts off a pthread_cancel of this thread. Stands around each system call that is a cancellation
/// point and is made by a function that must not be unwound, such as a destructor: unwinding
/// through one ends the program. The request stays and is obeyed at the thread's next cancellation
/// point. Thread: made and destroyed on one.
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
