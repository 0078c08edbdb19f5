// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <forklift/options.hpp>

namespace forklift::test_support {

/// Who loads: what upstream's tests are run with, and run again with.
struct LoadingMode {
  int num_workers = 0;
  bool persistent = false;

  [[nodiscard]] std::string text() const {
    return std::to_string(num_workers) + (persistent ? " persistent" : "") + " workers";
  }
  /// The options of it, without warnings.
  [[nodiscard]] DataLoaderOptions options() const {
    return {.num_workers = num_workers,
            .persistent_workers = persistent,
            .on_warning = [](std::string_view) {}};
  }
};

inline constexpr LoadingMode kLoadingModes[] = {{0, false}, {1, false}, {4, false}, {2, true}};

}  // namespace forklift::test_support
