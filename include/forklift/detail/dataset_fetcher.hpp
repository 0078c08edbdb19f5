// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <forklift/dataset.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// Whether worker threads may share a dataset: its getters are const, the standard library's
/// promise that several threads may call them.
template <class D>
inline constexpr bool kIsSharable =
    HasIterate<D>
        ? HasIterate<const D>
        : (!HasPlainGet<D> || HasPlainGet<const D>)&&(!HasRandomGet<D> ||
                                                      HasRandomGet<const D>)&&(!HasBulkGet<D> ||
                                                                               HasBulkGet<const D>);

/// The dataset as its samples are read: const where that gives the same samples, so that what
/// threads may share is what they are given.
template <class D>
consteval auto choose_readable() {
  if constexpr (kIsSharable<D> && Dataset<const D>) {
    if constexpr (std::is_same_v<SampleOf<const D>, SampleOf<D>>) {
      return std::type_identity<const D>();
    } else {
      return std::type_identity<D>();
    }
  } else {
    return std::type_identity<D>();
  }
}
template <class D>
using Readable = typename decltype(choose_readable<D>())::type;

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
  [[nodiscard]] Readable<D>& readable() noexcept { return *dataset_; }
  [[nodiscard]] const std::shared_ptr<D>& shared_dataset() const noexcept { return dataset_; }

 private:
  std::shared_ptr<D> dataset_;  // empty only after close()
  bool is_share_ = false;
};

}  // namespace forklift::detail
