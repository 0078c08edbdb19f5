// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "throughput/contender.hpp"

namespace bench {

/// Empty when `seen` has the labels of `expected` and its sums within `tolerance`, else what
/// differs first.
[[nodiscard]] std::string difference(const Observed& expected,
                                     const Observed& seen,
                                     double tolerance);

}  // namespace bench
