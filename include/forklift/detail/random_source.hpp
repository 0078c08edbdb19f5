// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace forklift::detail {

/// A 63-bit draw of the process-wide default generator, under its lock.
[[nodiscard]] std::uint64_t default_random63();

/// Where a loader or sampler without a generator takes its 63-bit draws (base seed, sampler seed).
/// The libtorch adapter passes a function over libtorch's default generator instead.
struct RandomSource {
  std::uint64_t (*random63)() = &default_random63;
};

}  // namespace forklift::detail
