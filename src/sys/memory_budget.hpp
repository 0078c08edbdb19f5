// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace forklift::sys {

/// How much memory this process could still use, and what sets the bound.
struct AvailableMemory {
  std::uint64_t bytes = 0;
  std::string
      limited_by;  ///< "MemAvailable of /proc/meminfo", or the limit file of a memory cgroup
};

/// The least of the machine's MemAvailable and, for the memory cgroup of this process (v1 or v2)
/// and each of its ancestors that is visible, limit minus use, where file pages that the kernel can
/// drop at once (inactive_file) count as unused. Reads a handful of files, some 100 us; never
/// fails: what cannot be read sets no bound.
///
/// Source: Linux Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst; proc(5).
[[nodiscard]] AvailableMemory available_memory();
/// The same, with all files looked up below the folder `root` ("" is the real one).
[[nodiscard]] AvailableMemory available_memory(const std::string& root);

/// Bytes promised to one live ring of this process. Its total keeps two rings from being promised
/// the same memory. Move-only; what it holds is given back at the end of its life.
class Promise {
 public:
  Promise() noexcept = default;
  explicit Promise(std::uint64_t bytes) noexcept;
  Promise(Promise&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  Promise& operator=(Promise&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise();

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// All that is promised in this process. Thread: any.
  [[nodiscard]] static std::uint64_t total() noexcept;

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace forklift::sys
