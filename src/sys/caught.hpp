// SPDX-License-Identifier: MIT
#pragma once

#include <exception>

namespace forklift::sys {

/// For a handler of `catch (...)`: the exception that it handles. The forced unwind of pthread_exit
/// and pthread_cancel is none, and must go on: it is thrown again.
inline std::exception_ptr caught() {
  auto exception = std::current_exception();
  if (exception == nullptr) {
    throw;
  }
  return exception;
}

}  // namespace forklift::sys
