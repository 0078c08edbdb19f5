// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include <forklift/dataset.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// A dataset, and what is the same for both kinds of them.
template <class D>
class DatasetFetcher : public Fetcher {
 public:
  explicit DatasetFetcher(D&& dataset) : dataset_(std::make_shared<D>(std::move(dataset))) {}
  /// One that shares the dataset of another.
  explicit DatasetFetcher(std::shared_ptr<D> dataset)
      : dataset_(std::move(dataset)),
        is_share_(true) {}

  void open(const WorkerInfo& info) override {
    if constexpr (HasOpen<D>) {
      if (!is_share_) {
        dataset_->open(info);
      }
    }
  }

  void close() noexcept override {
    if constexpr (HasOpen<D>) {
      if (!is_share_) {
        dataset_.reset();
      }
    }
  }

  [[nodiscard]] D& dataset() noexcept { return *dataset_; }

 protected:
  [[nodiscard]] const std::shared_ptr<D>& shared_dataset() const noexcept { return dataset_; }

 private:
  std::shared_ptr<D> dataset_;  // empty only after close()
  bool is_share_ = false;
};

/// Whether worker threads may share a dataset: its getters are const, the standard library's
/// promise that several threads may call them.
template <class D>
inline constexpr bool kIsSharable =
    HasIterate<D>
        ? HasIterate<const D>
        : (!HasPlainGet<D> || HasPlainGet<const D>)&&(!HasRandomGet<D> ||
                                                      HasRandomGet<const D>)&&(!HasBulkGet<D> ||
                                                                               HasBulkGet<const D>);

}  // namespace forklift::detail
