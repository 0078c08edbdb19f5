// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

/// The numbers of at most so many batches of a new pass, -1 for each WorkerError; their texts go
/// into `errors`, if it is given.
template <class Loader>
std::vector<std::int64_t> take_with_errors(Loader& loader,
                                           std::size_t batches = SIZE_MAX,
                                           std::vector<std::string>* errors = nullptr) {
  std::vector<std::int64_t> values;
  for (auto batch = loader.begin(); batches > 0; ++batch, --batches) {
    try {
      if (batch == loader.end()) {
        break;
      }
      const auto data = (*batch).template data<std::int64_t>();
      values.insert(values.end(), data.begin(), data.end());
    } catch (const WorkerError& error) {
      values.push_back(-1);
      if (errors != nullptr) {
        errors->emplace_back(error.what());
      }
    }
  }
  return values;
}

}  // namespace forklift::test_support
