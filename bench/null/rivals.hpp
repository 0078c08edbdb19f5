// SPDX-License-Identifier: MIT
#pragma once

#include "throughput/contender.hpp"

namespace bench {

[[nodiscard]] Contender null_forklift();
[[nodiscard]] Contender null_raw();

}  // namespace bench
