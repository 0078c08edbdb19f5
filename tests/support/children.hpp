// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

/// Datasets to make compositions of: sample i is first + i.
namespace forklift::test_support {

using Values = std::vector<std::int64_t>;
using Indices = std::vector<std::size_t>;

struct Range {
  std::int64_t first = 0;
  std::size_t count = 10;

  [[nodiscard]] std::size_t size() const { return count; }
  [[nodiscard]] std::int64_t get(std::size_t index) const {
    if (index >= count) {
      throw std::out_of_range("no such sample");
    }
    return first + static_cast<std::int64_t>(index);
  }
};

/// Reads in bulk and nothing else; remembers what it was asked for.
struct BulkRange : Range {
  explicit BulkRange(Range range, std::vector<Indices>* asked = nullptr)
      : Range(range),
        asked_(asked) {}

  std::int64_t get(std::size_t index) = delete;
  [[nodiscard]] Values get_batch(std::span<const std::size_t> indices) const {
    if (asked_ != nullptr) {
      asked_->emplace_back(indices.begin(), indices.end());
    }
    Values values;
    for (const std::size_t index : indices) {
      values.push_back(Range::get(index));
    }
    return values;
  }

 private:
  std::vector<Indices>* asked_;
};

/// Leaves the last sample of each batch out.
struct ShortBulk : BulkRange {
  using BulkRange::BulkRange;
  [[nodiscard]] Values get_batch(std::span<const std::size_t> indices) const {
    return BulkRange::get_batch(indices.first(indices.size() - 1));
  }
};

/// Adds 1000 times a random number below 1000.
struct RandomRange {
  Range range;
  static std::int64_t draw(SampleRng& rng) { return 1000 * rng.below(std::int64_t{1000}); }

  [[nodiscard]] std::size_t size() const { return range.size(); }
  [[nodiscard]] std::int64_t get(std::size_t index, SampleRng& rng) const {
    return range.get(index) + draw(rng);
  }
};

/// Cannot be read before it is open; nothing of it is const.
struct OpenedRange {
  Range range;
  int opened = 0;

  std::size_t size() { return range.size(); }
  std::int64_t get(std::size_t index) {
    if (opened != 1) {
      throw std::logic_error("not open, or opened twice");
    }
    return range.get(index);
  }
  void open(const WorkerInfo& /*info*/) { ++opened; }
};

/// Every sample, by get().
template <class D>
Values all_of(D&& dataset) {
  Values values;
  for (std::size_t index = 0; index < dataset.size(); ++index) {
    values.push_back(dataset.get(index));
  }
  return values;
}

}  // namespace forklift::test_support
