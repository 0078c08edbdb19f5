// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/combination.hpp"
#include "support/made_dataset.hpp"

namespace oracle {

using Numbers = forklift::test_support::Made<std::int64_t>;

/// The same, read in bulk too.
class Bulk : public Numbers {
 public:
  using Numbers::Numbers;
  [[nodiscard]] std::vector<std::int64_t> get_batch(std::span<const std::size_t> indices) const {
    std::vector<std::int64_t> samples;
    for (const std::size_t index : indices) {
      samples.push_back(get(index));
    }
    return samples;
  }
};

/// Sample i is i + offset.
template <class D = Numbers>
[[nodiscard]] D numbers(std::int64_t size, std::int64_t offset = 0) {
  return D(static_cast<std::size_t>(size),
           [offset](std::size_t index) { return static_cast<std::int64_t>(index) + offset; });
}

/// The samples that are to throw.
[[nodiscard]] inline std::set<std::int64_t> fails(const Combination& combination) {
  std::set<std::int64_t> values;
  for (const std::string& part : parts_of(combination.fail)) {
    values.insert(std::stoll(part));
  }
  return values;
}

/// `value`, or an exception if it is one of `failing`.
[[nodiscard]] inline std::int64_t check(std::int64_t value, const std::set<std::int64_t>& failing) {
  if (failing.contains(value)) {
    throw std::domain_error("bad sample " + std::to_string(value));
  }
  return value;
}

}  // namespace oracle
