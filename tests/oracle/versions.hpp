// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "oracle/combination.hpp"

namespace oracle {

/// Why a PyTorch of this version cannot be an oracle for the combination, since what it does then
/// has changed; null where it can.
[[nodiscard]] const char* why_left_out(std::string_view version, const Combination& combination);

}  // namespace oracle
