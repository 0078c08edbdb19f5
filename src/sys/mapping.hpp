// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "sys/unique_fd.hpp"

namespace forklift::sys {

/// What ring memory is aligned to: the size of a huge page.
inline constexpr std::size_t kMappingAlignment = std::size_t{2} << 20;

/// Owns a range of address space. Empty by default.
///
/// A range that does not follow into children (dont_fork) is left alone by a child's copy of the
/// object: something else may live there by then.
class Mapping {
 public:
  Mapping() noexcept = default;
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  /// The first `bytes` bytes of `fd`, shared, readable and writable, no swap reserved. `alignment`
  /// is a power of two, at least a page. The descriptor may be closed afterwards.
  ///
  /// While it is made it needs `bytes + alignment` of address space.
  /// Errors: ResourceError naming `ulimit -v` when RLIMIT_AS leaves too little; SystemError.
  [[nodiscard]] static Mapping shared(const UniqueFd& fd,
                                      std::uint64_t bytes,
                                      std::size_t alignment = kMappingAlignment);
  /// The same, private zeroed memory.
  [[nodiscard]] static Mapping anonymous(std::uint64_t bytes,
                                         std::size_t alignment = kMappingAlignment);

  /// Keeps the range out of children forked from now on. Where that is refused they get it.
  void dont_fork() noexcept;
  /// Frees the whole pages inside the range; they read as zero afterwards, for every process
  /// that has a shared mapping. Refusals are of no harm: the pages stay.
  void give_back(std::uint64_t offset, std::uint64_t bytes) noexcept;
  /// Makes all pages of the range present and writable here. False when the kernel refuses or does
  /// not know how, or memory ran out; writing works as before then.
  bool populate_write(std::uint64_t offset, std::uint64_t bytes) noexcept;
  /// Unmaps. Nothing to do when empty.
  void reset() noexcept;
  /// Lets go without unmapping.
  void forget() noexcept;

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_; }
  [[nodiscard]] bool is_mapped() const noexcept { return data_ != nullptr; }

 private:
  enum class Kind : std::uint8_t { kShared, kAnonymous };

  Mapping(std::byte* data, std::uint64_t bytes, Kind kind) noexcept
      : data_(data),
        bytes_(bytes),
        kind_(kind) {}
  static Mapping make(int fd, std::uint64_t bytes, std::size_t alignment, Kind kind);

  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  Kind kind_ = Kind::kAnonymous;
  pid_t only_in_ = 0;  // the process that called dont_fork(), 0 before
};

}  // namespace forklift::sys
