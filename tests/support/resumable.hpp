// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/worker_info.hpp>

namespace forklift::test_support {

/// A stream for each worker, of so many numbers, that can be gone on with. The fourth one of each
/// throws. Counts what is read.
class Resumable {
 public:
  Resumable(std::vector<std::size_t> sizes, const SharedCount& reads)
      : sizes_(std::move(sizes)),
        reads_(&reads) {}
  class Stream {
   public:
    Stream(std::size_t worker, std::size_t size, const SharedCount& reads)
        : worker_(worker),
          size_(size),
          reads_(&reads) {}
    std::optional<std::int64_t> next() {
      if (next_ == size_) {
        return std::nullopt;
      }
      ++reads_->value();
      const std::size_t number = next_++;
      return number == 3 ? throw std::runtime_error("bad") : Sharded::hundreds(worker_, number);
    }
    std::string state() const { return std::to_string(next_); }
    void restore(const std::string& state) { next_ = std::stoul(state); }

   private:
    std::size_t worker_;
    std::size_t size_;
    const SharedCount* reads_;
    std::size_t next_ = 0;
  };
  Stream iterate(const WorkerInfo& worker) const {
    return {worker.id, sizes_.at(worker.id), *reads_};
  }

 private:
  std::vector<std::size_t> sizes_;
  const SharedCount* reads_;
};

}  // namespace forklift::test_support
