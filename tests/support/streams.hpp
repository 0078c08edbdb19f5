// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <forklift/forklift.hpp>

namespace forklift::test_support {

/// Batches of two, no warnings.
inline DataLoaderOptions stream_options(int num_workers) {
  return {.batch_size = 2, .num_workers = num_workers, .on_warning = [](std::string_view) {}};
}

/// Every number of a pass. What the pass throws comes through.
template <class Loader>
std::vector<std::int64_t> take_all(Loader& loader) {
  std::vector<std::int64_t> values;
  for (auto& batch : loader) {
    const auto data = batch.template data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
  }
  return values;
}

}  // namespace forklift::test_support
