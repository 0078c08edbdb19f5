// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include <forklift/worker_info.hpp>

/// Iterable datasets to make compositions of: the samples are first, first + 1, ...
namespace forklift::test_support {

using Values = std::vector<std::int64_t>;

/// By next(), with a size.
struct Counting {
  class Stream {
   public:
    Stream(std::int64_t first, std::size_t count) : next_(first), left_(count) {}
    std::optional<std::int64_t> next() {
      if (left_ == 0) {
        return std::nullopt;
      }
      --left_;
      return next_++;
    }

   private:
    std::int64_t next_;
    std::size_t left_;
  };

  std::int64_t first = 0;
  std::size_t count = 10;

  [[nodiscard]] std::size_t size() const { return count; }
  [[nodiscard]] Stream iterate(const WorkerInfo& /*info*/) const { return {first, count}; }
};

/// As a container that the dataset keeps, without a size.
struct Kept {
  Values values;
  [[nodiscard]] const Values& iterate(const WorkerInfo& /*info*/) const { return values; }
};

/// Notes who starts it and opens it; nothing of it is const.
struct Noted {
  Counting samples;
  std::vector<std::size_t> started_by = {};
  std::vector<std::size_t> opened_by = {};

  int size() { return static_cast<int>(samples.count); }
  Counting::Stream iterate(const WorkerInfo& info) {
    started_by.push_back(info.id);
    return samples.iterate(info);
  }
  void open(const WorkerInfo& info) { opened_by.push_back(info.id); }
};

/// Throws in place of sample `bad`, counted from 0.
struct Throwing {
  class Stream {
   public:
    explicit Stream(const Throwing& dataset)
        : samples_(dataset.samples.iterate({})),
          until_bad_(dataset.bad) {}
    std::optional<std::int64_t> next() {
      const auto sample = samples_.next();
      if (sample.has_value() && until_bad_-- == 0) {
        throw std::domain_error("bad sample");
      }
      return sample;
    }

   private:
    Counting::Stream samples_;
    std::size_t until_bad_;
  };

  Counting samples;
  std::size_t bad = 2;

  [[nodiscard]] Stream iterate(const WorkerInfo& /*info*/) const { return Stream(*this); }
};

/// Samples that cannot be copied.
struct MoveOnly {
  using Sample = std::unique_ptr<std::int64_t>;
  Counting samples;

  [[nodiscard]] std::vector<Sample> iterate(const WorkerInfo& info) const {
    std::vector<Sample> made;
    auto stream = samples.iterate(info);
    while (const auto value = stream.next()) {
      made.push_back(std::make_unique<std::int64_t>(*value));
    }
    return made;
  }
};

/// What is left of a stream; an exception is -1, also where there are several.
template <class Stream>
Values rest_of(Stream& stream) {
  Values values;
  while (true) {
    try {
      const auto sample = stream.next();
      if (!sample.has_value()) {
        return values;
      }
      values.push_back(*sample);
    } catch (const std::domain_error&) {
      values.push_back(-1);
    }
  }
}

/// One pass.
template <class D>
Values pass_of(D&& dataset, const WorkerInfo& info = {}) {
  auto stream = dataset.iterate(info);
  return rest_of(stream);
}

}  // namespace forklift::test_support
