// SPDX-License-Identifier: MIT
#include "sys/resource_limits.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "sys/cancellation.hpp"
#include "sys/unique_fd.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

std::uint64_t soft_limit(__rlimit_resource_t resource) noexcept {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kUnlimited;
  }
  return limit.rlim_cur;
}

// Address space in use; 0 when it cannot be read. Allocates nothing: there may be no room to.
std::uint64_t address_space_used() noexcept {
  const CancellationOff off;
  const UniqueFd statm(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  std::array<char, 64> text{};
  const ssize_t length = ::read(statm.get(), text.data(), text.size());
  std::uint64_t pages = 0;
  if (length > 0) {
    static_cast<void>(std::from_chars(text.data(), text.data() + length, pages));
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t file_size_limit() noexcept {
  return soft_limit(RLIMIT_FSIZE);
}

std::uint64_t address_space_left() noexcept {
  const std::uint64_t limit = soft_limit(RLIMIT_AS);
  if (limit == kUnlimited) {
    return kUnlimited;
  }
  const std::uint64_t used = address_space_used();
  return limit > used ? limit - used : 0;
}

std::uint64_t open_files_limit() noexcept {
  return soft_limit(RLIMIT_NOFILE);
}

void throw_system_error(std::string operation, std::string object, int code) {
  const std::uint64_t limit = open_files_limit();
  if (code == EMFILE && limit != kUnlimited) {
    throw ResourceError(std::move(operation),
                        "open file descriptors (" + object + ")",
                        code,
                        limit + 1,
                        limit,
                        "`ulimit -n`");
  }
  throw SystemError(std::move(operation), std::move(object), code);
}

}  // namespace forklift::sys
