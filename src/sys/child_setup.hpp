// SPDX-License-Identifier: MIT
#pragma once

namespace forklift::sys {

/// Exit statuses by which a child says what went wrong where it can say nothing else.
inline constexpr int kExitStartFailed =
    111;                                   ///< the set-up of the child failed; the body did not run
inline constexpr int kExitUncaught = 112;  ///< an exception left the body
inline constexpr int kExitFdsClosed = 113;    ///< user code closed the child's own descriptors
inline constexpr int kExitThreadEnded = 114;  ///< user code ended the body's thread (pthread_exit)
inline constexpr int kExitParentGone = 115;   ///< the parent was gone; nobody is left to read this

/// Functions that set the number of threads of libraries which this one does not know; null where
/// the program has none.
struct ThreadCountSetters {
  void (*aten)(int) = nullptr;    ///< at::set_num_threads of libtorch
  void (*openmp)(int) = nullptr;  ///< omp_set_num_threads
};

/// Looks them up among the program's symbols. To be called before the fork: the child must not
/// depend on the dynamic linker's locks.
[[nodiscard]] ThreadCountSetters find_thread_count_setters() noexcept;

/// First act of a child: OpenMP pools do not survive a fork and hang a child at its first parallel
/// region of more than one thread.
void limit_to_one_thread(const ThreadCountSetters& setters);

/// Ignores SIGINT (a terminal sends it to the whole group; the parent decides), gives every signal
/// that had a handler its default action, then unblocks all.
void reset_signals() noexcept;

/// Names the process and its main thread; 15 characters are kept.
void name_process(const char* name) noexcept;

}  // namespace forklift::sys
