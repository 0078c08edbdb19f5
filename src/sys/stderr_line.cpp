// SPDX-License-Identifier: MIT
#include "sys/stderr_line.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "sys/cancellation.hpp"

namespace forklift::sys {
namespace {

iovec piece(std::string_view text) noexcept {
  return {.iov_base = const_cast<char*>(text.data()),
          .iov_len = text.size()};  // NOLINT: writev only reads it
}

}  // namespace

void write_stderr_line(std::string_view text) noexcept {
  const CancellationOff off;
  const std::array pieces = {piece("forklift: "), piece(text), piece("\n")};
  [[maybe_unused]] const auto written =
      ::writev(STDERR_FILENO, pieces.data(), static_cast<int>(pieces.size()));
}

}  // namespace forklift::sys
