// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sys/unique_fd.hpp"

namespace forklift::sys {

/// An unnamed, sparse file in memory of `bytes` bytes, close-on-exec, sealed so that nobody can
/// shrink or grow it. `name` is seen in /proc only. Where seals are refused it comes unsealed.
///
/// Errors: ResourceError naming `ulimit -f` when `bytes` passes RLIMIT_FSIZE (found before the
/// kernel can answer with SIGXFSZ), naming `ulimit -n` when descriptors ran out; SystemError.
[[nodiscard]] UniqueFd make_mem_fd(const char* name, std::uint64_t bytes);

}  // namespace forklift::sys
