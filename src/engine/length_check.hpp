// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "engine/loader_state.hpp"

namespace forklift::engine {

/// Counts the batches of one pass over an iterable dataset and warns, once a loader, when there are
/// more than the samples that the dataset claims to have. Only where the user has asked for the
/// length before the pass. Source: PyTorch torch/utils/data/dataloader.py,
/// _BaseDataLoaderIter.__next__.
class LengthCheck {
 public:
  /// `loader` outlives it.
  explicit LengthCheck(LoaderState& loader) : loader_(loader), told_(loader.told_length) {}

  /// Errors: what on_warning throws.
  void delivered() {
    ++num_delivered_;
    if (told_.has_value() && num_delivered_ > *told_) [[unlikely]] {
      warn();
    }
  }

 private:
  void warn() const;

  LoaderState& loader_;
  std::optional<std::size_t> told_;
  std::size_t num_delivered_ = 0;
};

}  // namespace forklift::engine
