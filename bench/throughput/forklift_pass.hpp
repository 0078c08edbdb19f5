// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <utility>

#include "throughput/contender.hpp"

#include <forklift/data_loader.hpp>

namespace bench {

/// More workers than cores are asked for on purpose here, and the warning would go into the middle
/// of a table.
inline void ignore_warning(std::string_view /*warning*/) {}

/// The options that a contender is opened with, as Forklift takes them. Workers are kept over
/// epochs.
[[nodiscard]] inline forklift::DataLoaderOptions forklift_options(const OpenArguments& open) {
  if (open.num_workers == 0) {
    return {.batch_size = open.batch_size, .on_warning = ignore_warning};
  }
  return {.batch_size = open.batch_size,
          .num_workers = open.num_workers,
          .prefetch_factor = open.prefetch_factor,
          .persistent_workers = true,
          .on_warning = ignore_warning};
}

/// Epochs of a Forklift loader. `view(batch)` makes a BatchView of what the loader delivers.
template <class Dataset, class View>
class ForkliftPass {
 public:
  ForkliftPass(Dataset dataset, const OpenArguments& open, View view)
      : loader_(std::move(dataset), forklift_options(open)),
        view_(std::move(view)) {}

  template <class Visit>
  void each(Visit visit) {
    for (auto& batch : loader_) {
      visit(view_(batch));
    }
  }

 private:
  decltype(forklift::DataLoader(std::declval<Dataset>(), forklift::DataLoaderOptions{})) loader_;
  View view_;
};

}  // namespace bench
