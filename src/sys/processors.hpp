// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace forklift::sys {

/// Processors in the affinity mask of the calling thread, at least 1; those of the machine where
/// the mask cannot be read.
[[nodiscard]] std::size_t usable_processors() noexcept;

}  // namespace forklift::sys
