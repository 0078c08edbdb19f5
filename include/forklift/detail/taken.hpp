// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace forklift::detail {

/// What had been taken of the pass, where a loader hands a sampler's state on with its own.
struct Taken {
  bool within_pass = false;   ///< else the state stands between two passes
  std::uint64_t samples = 0;  ///< indices that the process had taken
  bool has_gaps = false;      ///< batches came out of order: those were not the first ones
};

}  // namespace forklift::detail
