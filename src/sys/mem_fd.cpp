// SPDX-License-Identifier: MIT
#include "sys/mem_fd.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <limits>

#include "sys/resource_limits.hpp"
#include "sys/syscalls.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

constexpr unsigned kNoExecSeal = 0x8;  // MFD_NOEXEC_SEAL, unknown to headers before Linux 6.3

// The most careful form that the kernel takes: some settings refuse a file that could be executed,
// older kernels do not know that flag, sandboxes may know no seals.
UniqueFd create(const char* name) {
  const unsigned sealed = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int code = 0;
  for (const unsigned flags : {sealed | kNoExecSeal, sealed, unsigned{MFD_CLOEXEC}}) {
    UniqueFd fd(raw::memfd_create(name, flags));
    if (fd.is_open()) {
      return fd;
    }
    code = errno;
    if (code != EINVAL) {
      break;
    }
  }
  throw_system_error("memfd_create", name, code);
}

[[noreturn]] void throw_too_long(const char* name, std::uint64_t bytes, std::uint64_t limit) {
  throw ResourceError("ftruncate", name, EFBIG, bytes, limit, "`ulimit -f`");
}

void set_size(const UniqueFd& fd, const char* name, std::uint64_t bytes) {
  while (raw::ftruncate(fd.get(), static_cast<std::int64_t>(bytes)) != 0) {
    if (errno == EFBIG) {
      throw_too_long(name, bytes, file_size_limit());
    }
    if (errno != EINTR) {
      throw SystemError("ftruncate", name, errno);
    }
  }
}

}  // namespace

UniqueFd make_mem_fd(const char* name, std::uint64_t bytes) {
  constexpr std::uint64_t kLongest = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t limit = file_size_limit();
  if (bytes > limit) {
    throw_too_long(name, bytes, limit);
  }
  if (bytes > kLongest) {
    throw ResourceError("ftruncate", name, EFBIG, bytes, kLongest, "the size asked for");
  }
  UniqueFd fd = create(name);
  set_size(fd, name, bytes);
  // Seals are a guard against user code only; without them everything works as well.
  static_cast<void>(raw::add_seals(fd.get(), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL));
  return fd;
}

}  // namespace forklift::sys
