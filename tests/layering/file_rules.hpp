// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace layering {

/// Longest file allowed, in lines.
inline constexpr int kMaxLines = 400;

/// What the file includes against the rules of the layers, one sentence each: "src/ipc/ring.cpp:4:
/// ...". `path` is relative to the root of the repository; it alone says which rules hold.
[[nodiscard]] std::vector<std::string> include_faults(std::string_view path, std::string_view text);

/// What else is wrong with a source file: licence line, `#pragma once`, macros, length.
[[nodiscard]] std::vector<std::string> form_faults(std::string_view path, std::string_view text);

}  // namespace layering
