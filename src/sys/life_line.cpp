// SPDX-License-Identifier: MIT
#include "sys/life_line.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <utility>

#include "sys/resource_limits.hpp"
#include "sys/syscalls.hpp"

namespace forklift::sys {

LifeLine::LifeLine(UniqueFd parent_end, UniqueFd child_end) noexcept
    : parent_end_(std::move(parent_end)),
      child_end_(std::move(child_end)) {}

LifeLine LifeLine::make() {
  std::array<int, 2> ends{};
  if (raw::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw_system_error("pipe2", "life line", errno);
  }
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace forklift::sys
