// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace forklift::sys {

/// What the functions below return when there is no limit.
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// RLIMIT_FSIZE in bytes: the longest file this process may make, a memfd included. A longer one
/// does not fail: the kernel sends SIGXFSZ.
[[nodiscard]] std::uint64_t file_size_limit() noexcept;
/// RLIMIT_AS minus the address space in use, in bytes.
[[nodiscard]] std::uint64_t address_space_left() noexcept;
/// RLIMIT_NOFILE: descriptor numbers go up to one less.
[[nodiscard]] std::uint64_t open_files_limit() noexcept;

/// Throws the SystemError of a failed call; EMFILE becomes a ResourceError naming `ulimit -n`.
[[noreturn]] void throw_system_error(std::string operation, std::string object, int code);

}  // namespace forklift::sys
