// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <forklift/options.hpp>
#include <forklift/worker_kind.hpp>

namespace forklift::test_support {

/// Who loads.
struct LoadingMode {
  int num_workers = 0;
  bool persistent = false;
  WorkerKind kind = WorkerKind::process;

  [[nodiscard]] bool forks() const { return num_workers > 0 && kind == WorkerKind::process; }
  [[nodiscard]] std::string text() const {
    return std::to_string(num_workers) + (persistent ? " persistent" : "") +
           (kind == WorkerKind::process ? " processes" : " threads");
  }
  /// Sets the options of it, without warnings.
  void apply(DataLoaderOptions& options) const {
    options.num_workers = num_workers;
    options.persistent_workers = persistent;
    options.worker_kind = kind;
    options.on_warning = [](std::string_view) {};
  }
  [[nodiscard]] DataLoaderOptions options() const {
    DataLoaderOptions options;
    apply(options);
    return options;
  }
};

/// What upstream's tests are run with, and run again with.
inline constexpr LoadingMode kLoadingModes[] = {{0, false},
                                                {1, false},
                                                {4, false},
                                                {2, true},
                                                {3, false, WorkerKind::thread},
                                                {2, true, WorkerKind::thread}};

/// Nobody else, and 1, 2 and 3 workers of both kinds, kept or not.
inline std::vector<LoadingMode> all_loading_modes() {
  std::vector<LoadingMode> modes = {{}};
  for (const int num_workers : {1, 2, 3}) {
    for (const WorkerKind kind : {WorkerKind::process, WorkerKind::thread}) {
      for (const bool persistent : {false, true}) {
        modes.push_back({num_workers, persistent, kind});
      }
    }
  }
  return modes;
}

/// Batches of two by threads, without warnings.
inline DataLoaderOptions threads(int num_workers) {
  DataLoaderOptions options =
      LoadingMode{.num_workers = num_workers, .kind = WorkerKind::thread}.options();
  options.batch_size = 2;
  return options;
}

}  // namespace forklift::test_support
