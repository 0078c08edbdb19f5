// SPDX-License-Identifier: MIT
#include "sys/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "sys/current_pid.hpp"
#include "sys/resource_limits.hpp"
#include "sys/rounding.hpp"
#include "sys/syscalls.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, unknown to headers before Linux 5.14

std::uint64_t page_bytes() noexcept {
  return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string object_name(std::uint64_t bytes) {
  return "mapping of " + std::to_string(bytes) + " bytes";
}

[[noreturn]] void throw_map_error(std::uint64_t bytes, std::uint64_t needed, int code) {
  const std::uint64_t left = address_space_left();
  if (code == ENOMEM && left < needed) {
    throw ResourceError("mmap", "address space", code, needed, left, "`ulimit -v`");
  }
  throw SystemError("mmap", object_name(bytes), code);
}

bool advise(void* address, std::uint64_t bytes, int advice) noexcept {
  int result = 0;
  do {  // A signal leaves the pages done so far behind, so this ends.
    result = raw::madvise(address, bytes, advice);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

void unmap(std::byte* begin, std::byte* end) noexcept {
  if (begin != end) {
    // Fails only when splitting a range passes max_map_count: the address space stays reserved.
    static_cast<void>(::munmap(begin, static_cast<std::size_t>(end - begin)));
  }
}

}  // namespace

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      kind_(other.kind_),
      only_in_(std::exchange(other.only_in_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(kind_, other.kind_);
  std::swap(only_in_, other.only_in_);
  return *this;
}

Mapping::~Mapping() {
  reset();
}

Mapping Mapping::shared(const UniqueFd& fd, std::uint64_t bytes, std::size_t alignment) {
  return make(fd.get(), bytes, alignment, Kind::kShared);
}

Mapping Mapping::anonymous(std::uint64_t bytes, std::size_t alignment) {
  return make(-1, bytes, alignment, Kind::kAnonymous);
}

// mmap aligns to pages only: reserve more, map over the aligned part, return the two ends.
Mapping Mapping::make(int fd, std::uint64_t bytes, std::size_t alignment, Kind kind) {
  if (bytes == 0 || bytes > std::numeric_limits<std::uint64_t>::max() / 2) {
    throw SystemError("mmap", object_name(bytes), bytes == 0 ? EINVAL : ENOMEM);
  }
  const std::uint64_t mapped = round_up(bytes, page_bytes());
  const std::uint64_t reserved = mapped + alignment;
  void* const base =
      raw::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (base == MAP_FAILED) {
    throw_map_error(bytes, reserved, errno);
  }
  void* aligned = base;
  std::size_t space = reserved;
  // Cannot fail: there is room for `mapped` bytes at whatever distance below `alignment`.
  aligned = std::align(alignment, mapped, aligned, space);
  const int what = kind == Kind::kShared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  if (raw::mmap(aligned, mapped, PROT_READ | PROT_WRITE, what | MAP_FIXED | MAP_NORESERVE, fd) ==
      MAP_FAILED) {
    const int code = errno;
    unmap(static_cast<std::byte*>(base), static_cast<std::byte*>(base) + reserved);
    throw_map_error(bytes, mapped, code);
  }
  auto* const data = static_cast<std::byte*>(aligned);
  unmap(static_cast<std::byte*>(base), data);
  unmap(data + mapped, static_cast<std::byte*>(base) + reserved);
  return {data, bytes, kind};
}

void Mapping::dont_fork() noexcept {
  if (is_mapped() && raw::madvise(data_, round_up(bytes_, page_bytes()), MADV_DONTFORK) == 0) {
    only_in_ = current_pid();
  }
}

void Mapping::give_back(std::uint64_t offset, std::uint64_t bytes) noexcept {
  const std::uint64_t page = page_bytes();
  const std::uint64_t begin = round_up(offset, page);
  // The mapping owns all of its last page.
  const std::uint64_t end =
      offset + bytes == bytes_ ? round_up(bytes_, page) : round_down(offset + bytes, page);
  if (is_mapped() && begin < end) {
    const int advice = kind_ == Kind::kShared ? MADV_REMOVE : MADV_DONTNEED;
    static_cast<void>(advise(data_ + begin, end - begin, advice));  // See the header.
  }
}

bool Mapping::populate_write(std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (!is_mapped() || bytes == 0) {
    return is_mapped();
  }
  const std::uint64_t page = page_bytes();
  const std::uint64_t begin = offset / page * page;
  return advise(data_ + begin, round_up(offset + bytes, page) - begin, kPopulateWrite);
}

void Mapping::reset() noexcept {
  if (is_mapped() && (only_in_ == 0 || only_in_ == current_pid())) {
    unmap(data_, data_ + round_up(bytes_, page_bytes()));
  }
  forget();
}

void Mapping::forget() noexcept {
  data_ = nullptr;
  bytes_ = 0;
  only_in_ = 0;
}

}  // namespace forklift::sys
