// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <forklift/worker_info.hpp>

namespace forklift::test_support {

/// A stream that each worker reads a part of: worker w gives `sizes[w]` values, made from w and
/// their number.
class Sharded {
 public:
  using Make = std::function<std::int64_t(std::size_t worker, std::size_t number)>;

  class Stream {
   public:
    Stream(const Make& make, std::size_t worker, std::size_t size)
        : make_(make),
          worker_(worker),
          size_(size) {}
    std::optional<std::int64_t> next() {
      return next_ < size_ ? std::optional(make_(worker_, next_++)) : std::nullopt;
    }

   private:
    Make make_;
    std::size_t worker_;
    std::size_t size_;
    std::size_t next_ = 0;
  };

  explicit Sharded(std::vector<std::size_t> sizes, Make make = hundreds)
      : sizes_(std::move(sizes)),
        make_(std::move(make)) {}

  [[nodiscard]] Stream iterate(const WorkerInfo& worker) const {
    return {make_, worker.id, sizes_.at(worker.id)};
  }

  /// 0 1 2 ... from worker 0, 100 101 ... from worker 1, and so on.
  static std::int64_t hundreds(std::size_t worker, std::size_t number) {
    return static_cast<std::int64_t>(100 * worker + number);
  }

  /// The same, but for the third value of each worker.
  static std::int64_t throws_at_two(std::size_t worker, std::size_t number) {
    if (number == 2) {
      throw std::domain_error("value 2 is bad");
    }
    return hundreds(worker, number);
  }

 private:
  std::vector<std::size_t> sizes_;
  Make make_;
};

/// The same with a length that it claims to have.
class Claiming : public Sharded {
 public:
  Claiming(std::vector<std::size_t> sizes, std::size_t claimed)
      : Sharded(std::move(sizes)),
        claimed_(claimed) {}
  [[nodiscard]] std::size_t size() const { return claimed_; }

 private:
  std::size_t claimed_;
};

}  // namespace forklift::test_support
