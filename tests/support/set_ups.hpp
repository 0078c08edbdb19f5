// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string_view>
#include <vector>

#include <forklift/forklift.hpp>

namespace forklift::test_support {

/// How many workers of which kind, and whether they are kept.
struct SetUp {
  int num_workers = 0;
  WorkerKind kind = WorkerKind::process;
  bool persistent = false;

  void apply(DataLoaderOptions& options) const {
    options.num_workers = num_workers;
    options.worker_kind = kind;
    options.persistent_workers = persistent;
    options.on_warning = [](std::string_view) {};  // more workers than processors
  }
  friend std::ostream& operator<<(std::ostream& out, const SetUp& set_up) {
    return out << set_up.num_workers
               << (set_up.kind == WorkerKind::process ? " processes" : " threads")
               << (set_up.persistent ? ", persistent" : "");
  }
};

/// None, and 1, 2 and 3 of both kinds, kept or not.
inline std::vector<SetUp> set_ups() {
  std::vector<SetUp> all = {{}};
  for (const int num_workers : {1, 2, 3}) {
    for (const WorkerKind kind : {WorkerKind::process, WorkerKind::thread}) {
      for (const bool persistent : {false, true}) {
        all.push_back({num_workers, kind, persistent});
      }
    }
  }
  return all;
}

/// Batches of two by threads, without warnings.
inline DataLoaderOptions threads(int num_workers) {
  return {.batch_size = 2,
          .num_workers = num_workers,
          .worker_kind = WorkerKind::thread,
          .on_warning = [](std::string_view) {}};
}

}  // namespace forklift::test_support
