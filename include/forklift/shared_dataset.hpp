// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <forklift/dataset.hpp>
#include <forklift/detail/dataset_checks.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// A handle to a dataset, of either kind, that several loaders or compositions share. Copies are
/// handles to the same one, and a const handle gives access to it as it is. Wherever a composition
/// of datasets takes a dataset, it takes a `std::shared_ptr` too, and holds it as one of these.
///
/// Owner:  the dataset lives as long as its last handle. In a worker, one with open() is destroyed
///         at the end only if no other handle is left in that process.
/// Thread: one at a time in each process, all handles taken together; open() is called once for
///         each handle that is opened.
template <class D>
requires Dataset<D>
class SharedDataset {
 public:
  /// Errors: InvalidOptions for a null pointer.
  // NOLINTNEXTLINE(google-explicit-constructor): a handle made to convert
  SharedDataset(std::shared_ptr<D> dataset) : dataset_(std::move(dataset)) {
    if (dataset_ == nullptr) {
      detail::throw_no_dataset();
    }
  }

  [[nodiscard]] std::size_t size() const requires detail::HasSize<D> {
    return detail::dataset_size(*dataset_);
  }
  // Const where they are const of the dataset itself: the promise that threads may share it is its.
  [[nodiscard]] decltype(auto) get(std::size_t index) const requires detail::HasPlainGet<const D> {
    return dataset_->get(index);
  }
  [[nodiscard]] decltype(auto) get(std::size_t index) requires(detail::HasPlainGet<D> &&
                                                               !detail::HasPlainGet<const D>) {
    return dataset_->get(index);
  }
  [[nodiscard]] decltype(auto) get(std::size_t index,
                                   SampleRng& rng) const requires detail::HasRandomGet<const D> {
    return dataset_->get(index, rng);
  }
  [[nodiscard]] decltype(auto) get(std::size_t index,
                                   SampleRng& rng) requires(detail::HasRandomGet<D> &&
                                                            !detail::HasRandomGet<const D>) {
    return dataset_->get(index, rng);
  }
  [[nodiscard]] decltype(auto) get_batch(
      std::span<const std::size_t> indices) const requires detail::HasBulkGet<const D> {
    return dataset_->get_batch(indices);
  }
  [[nodiscard]] decltype(auto) get_batch(std::span<const std::size_t> indices) requires(
      detail::HasBulkGet<D> && !detail::HasBulkGet<const D>) {
    return dataset_->get_batch(indices);
  }
  [[nodiscard]] decltype(auto) iterate(
      const WorkerInfo& info) const requires detail::HasIterate<const D> {
    return dataset_->iterate(info);
  }
  [[nodiscard]] decltype(auto) iterate(const WorkerInfo& info) requires(
      detail::HasIterate<D> && !detail::HasIterate<const D>) {
    return dataset_->iterate(info);
  }
  void open(const WorkerInfo& info) const requires detail::HasOpen<D> { dataset_->open(info); }

  [[nodiscard]] D& operator*() const noexcept { return *dataset_; }
  [[nodiscard]] D* operator->() const noexcept { return dataset_.get(); }

 private:
  std::shared_ptr<D> dataset_;
};

}  // namespace forklift
