// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace forklift::testing {

/// Zeroed memory that forked children share. Unmapped by the destructor in each process.
class SharedPages {
 public:
  explicit SharedPages(std::size_t bytes) : bytes_(bytes) {
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw std::system_error(errno, std::generic_category(), "mmap(test pages)");
    }
    data_ = static_cast<std::byte*>(memory);
  }

  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;
  ~SharedPages() { static_cast<void>(::munmap(data_, bytes_)); }

  [[nodiscard]] std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace forklift::testing
