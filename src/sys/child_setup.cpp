// SPDX-License-Identifier: MIT
#include "sys/child_setup.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>

#include <bit>
#include <csignal>

namespace forklift::sys {
namespace {

using SetThreads = void (*)(int);

SetThreads find(const char* symbol) noexcept {
  return std::bit_cast<SetThreads>(::dlsym(RTLD_DEFAULT, symbol));
}

}  // namespace

ThreadCountSetters find_thread_count_setters() noexcept {
  return {.aten = find("_ZN2at15set_num_threadsEi"), .openmp = find("omp_set_num_threads")};
}

void limit_to_one_thread(const ThreadCountSetters& setters) {
  if (setters.aten != nullptr) {
    setters.aten(1);
  }
  if (setters.openmp != nullptr) {
    setters.openmp(1);
  }
}

void reset_signals() noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction current {};
    // Fails for the two that the C library keeps for itself: those have no handler of the user.
    if (::sigaction(signal, nullptr, &current) == 0 && current.sa_handler != SIG_IGN &&
        current.sa_handler != SIG_DFL) {
      static_cast<void>(::sigaction(signal, &action, nullptr));  // It just could be read.
    }
  }
  action.sa_handler = SIG_IGN;
  static_cast<void>(::sigaction(SIGINT, &action, nullptr));  // Cannot fail for SIGINT.
  sigset_t none{};
  static_cast<void>(sigemptyset(&none));
  static_cast<void>(::pthread_sigmask(SIG_SETMASK, &none, nullptr));
}

void name_process(const char* name) noexcept {
  static_cast<void>(::prctl(PR_SET_NAME, name));  // Only a name.
}

}  // namespace forklift::sys
