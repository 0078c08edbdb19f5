// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include <forklift/dataset.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// A dataset, and what is the same for both kinds of them.
template <class D>
class DatasetFetcher : public Fetcher {
 public:
  explicit DatasetFetcher(D&& dataset) : dataset_(std::move(dataset)) {}

  void open(const WorkerInfo& info) override {
    if constexpr (HasOpen<D>) {
      dataset_->open(info);
    }
  }

  void close() noexcept override {
    if constexpr (HasOpen<D>) {
      dataset_.reset();
    }
  }

  [[nodiscard]] D& dataset() noexcept { return *dataset_; }

 private:
  std::optional<D> dataset_;  // empty only after close()
};

}  // namespace forklift::detail
