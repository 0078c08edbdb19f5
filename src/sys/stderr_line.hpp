// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace forklift::sys {

/// Writes "forklift: `text`" as one line to the standard error, in one call, so that lines of
/// several processes do not mix. What cannot be written is lost: there is nobody left to tell.
void write_stderr_line(std::string_view text) noexcept;

}  // namespace forklift::sys
