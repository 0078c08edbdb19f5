// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// Stands in for src/sys/syscalls.cpp: a test that is linked with failing_syscalls.cpp gets the
/// real calls, except where it asked for a failure. The script and the counts are inherited by
/// forked children.
namespace forklift::test_support {

enum class Call : std::uint8_t {
  kMemfdCreate,
  kFtruncate,
  kAddSeals,
  kMmap,
  kMadvise,
  kFork,
  kEventfd,
  kPipe2,
  kPidfdOpen,
  kPidfdSendSignal,
  kPoll,
  kWaitid,
  kCreateThread,
  kCount,
};

/// Lets the `nth` next call (1: the very next one) and the `times - 1` after it fail with `code`.
/// One script a call; a new one replaces it.
void fail_call(Call call, std::uint64_t nth, int code, std::uint64_t times = 1) noexcept;
/// Forgets all scripts and sets all counts to 0.
void reset_calls() noexcept;
/// How often `call` was made since reset_calls(), failures included.
[[nodiscard]] std::uint64_t num_calls(Call call) noexcept;

}  // namespace forklift::test_support
