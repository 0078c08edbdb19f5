// SPDX-License-Identifier: MIT
#include "engine/diagnostics.hpp"

#include <cstddef>
#include <string_view>

#include "sys/stderr_line.hpp"

namespace forklift::engine {

void Diagnostics::warn(Warning kind, std::string_view text) {
  const auto bit = static_cast<std::size_t>(kind);
  if (given_.test(bit)) {
    return;
  }
  given_.set(bit);
  if (callback_) {
    callback_(text);
  } else {
    sys::write_stderr_line(text);
  }
}

}  // namespace forklift::engine
