// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "support/made_dataset.hpp"

#include <forklift/forklift.hpp>

namespace forklift::test_support {

using Numbers = Made<std::int64_t>;
using Values = std::vector<std::int64_t>;

/// Sample `index` of the plainest dataset.
inline std::int64_t identity(std::size_t index) {
  return static_cast<std::int64_t>(index);
}

/// That dataset.
inline Numbers numbers(std::size_t count) {
  return {count, identity};
}

/// 0 .. count - 1: what such a dataset gives in order.
inline Values first_n(std::size_t count) {
  Values values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// Every sample of a pass. What the pass throws comes through.
inline Values take_all(DataLoader<Numbers>& loader) {
  Values values;
  for (auto& batch : loader) {
    const auto data = batch.data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
  }
  return values;
}

/// Every sample of a pass, and how many WorkerErrors stood between them.
inline std::pair<Values, std::size_t> take_all_and_count_errors(DataLoader<Numbers>& loader) {
  Values values;
  std::size_t errors = 0;
  for (auto batch = loader.begin();; ++batch) {
    try {
      if (batch == loader.end()) {
        return {values, errors};
      }
      const auto data = (*batch).data<std::int64_t>();
      values.insert(values.end(), data.begin(), data.end());
    } catch (const WorkerError&) {
      ++errors;
    }
  }
}

}  // namespace forklift::test_support
