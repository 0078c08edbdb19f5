// SPDX-License-Identifier: MIT
#pragma once

namespace forklift {

inline constexpr int kVersionMajor = 0;
inline constexpr int kVersionMinor = 1;
inline constexpr int kVersionPatch = 0;

}  // namespace forklift
