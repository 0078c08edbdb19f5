// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <new>

#include "support/shared_pages.hpp"

namespace forklift::test_support {

/// A number that forked processes share, 0 at first.
class SharedCount {
 public:
  SharedCount()
      : pages_(sizeof(std::atomic<int>)),
        count_(new (pages_.data()) std::atomic<int>(0)) {}

  [[nodiscard]] std::atomic<int>& value() const { return *count_; }

 private:
  testing::SharedPages pages_;
  std::atomic<int>* count_;
};

}  // namespace forklift::test_support
