// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/batch_writer.hpp>
#include <forklift/collated.hpp>
#include <forklift/dataset.hpp>
#include <forklift/detail/collate_default.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/error.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// Stands for "no collate_fn": PyTorch's default_collate, straight into the slot.
struct DefaultCollate {};

template <class Collate, class Sample>
concept CollateIntoSlot = std::invocable<Collate&, std::vector<Sample>, BatchWriter&>;
template <class Collate, class Sample>
concept CollateToBatch = std::invocable<Collate&, std::vector<Sample>>;

/// The dataset and the collate_fn of one loader, behind the Fetcher interface.
template <MapDataset D, class Collate>
class FetcherFor final : public Fetcher {
  using Sample = SampleOf<D>;
  static constexpr bool kDefaultCollate = std::is_same_v<Collate, DefaultCollate>;

 public:
  FetcherFor(D dataset, Collate collate)
      : dataset_(std::move(dataset)),
        collate_(std::move(collate)) {}

  void open(const WorkerInfo& info) override {
    if constexpr (HasOpen<D>) {
      dataset_->open(info);
    }
  }

  void fill(const FillRequest& request, SlotCursor& out) override {
    if constexpr (HasBulkGet<D>) {
      fill_in_bulk(request, out);
    } else if constexpr (kDefaultCollate) {
      fill_by_rows(request, out);
    } else {
      fill_by_list(request, out);
    }
  }

  [[nodiscard]] std::size_t size() override { return to_size(dataset_->size()); }

  void close() noexcept override {
    if constexpr (HasOpen<D>) {
      dataset_.reset();
    }
  }

  [[nodiscard]] D& dataset() noexcept { return *dataset_; }

 private:
  static void begin_sample(const FillRequest& request, std::size_t position) {
    if (request.stop->load(std::memory_order_relaxed) != 0) {
      throw Stopped();
    }
    request.in_progress->store(position, std::memory_order_relaxed);
  }
  static void end_samples(const FillRequest& request) {
    request.in_progress->store(kNoSample, std::memory_order_relaxed);
  }

  decltype(auto) read(const FillRequest& request, std::size_t position) {
    const auto index = static_cast<std::size_t>(request.indices[position]);
    if constexpr (HasRandomGet<D>) {
      SampleRng rng(request.seed,
                    request.epoch,
                    index,
                    request.unique_indices ? 0 : request.first_ordinal + position + 1);
      return dataset_->get(index, rng);
    } else {
      return dataset_->get(index);
    }
  }

  void fill_by_rows(const FillRequest& request, SlotCursor& out) {
    CollateContext context{out, request.indices.size(), request.indices};
    const FieldPath root;
    for (std::size_t row = 0; row < context.rows; ++row) {
      begin_sample(request, row);
      const auto& sample = read(request, row);  // extends the life of a sample returned by value
      if (row == 0) {
        column_.start(context, sample, root);
      }
      column_.put(context, row, sample, root);
    }
    end_samples(request);
    column_.pack(out);
  }

  void fill_by_list(const FillRequest& request, SlotCursor& out) {
    std::vector<Sample> samples;
    samples.reserve(request.indices.size());
    for (std::size_t row = 0; row < request.indices.size(); ++row) {
      begin_sample(request, row);
      samples.push_back(read(request, row));
    }
    end_samples(request);
    collate_list(std::move(samples), out);
  }

  void fill_in_bulk(const FillRequest& request, SlotCursor& out) {
    static_assert(std::is_same_v<std::size_t, std::uint64_t>,
                  "indices travel as 64-bit numbers and are handed on in place");
    auto&& range = dataset_->get_batch(request.indices);
    std::vector<Sample> samples;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(range)>, std::vector<Sample>>) {
      samples = std::forward<decltype(range)>(range);
    } else {
      for (auto&& sample : range) {
        samples.push_back(std::forward<decltype(sample)>(sample));
      }
    }
    if (samples.empty()) {
      throw TensorError("get_batch returned no sample for a batch of " +
                        std::to_string(request.indices.size()));
    }
    if constexpr (kDefaultCollate) {
      collate_rows(samples, request, out);
    } else {
      collate_list(std::move(samples), out);
    }
  }

  void collate_rows(const std::vector<Sample>& samples,
                    const FillRequest& request,
                    SlotCursor& out) {
    CollateContext context{out, samples.size(), request.indices};
    const FieldPath root;
    column_.start(context, samples.front(), root);
    for (std::size_t row = 0; row < samples.size(); ++row) {
      request.in_progress->store(row < request.indices.size() ? row : kNoSample,
                                 std::memory_order_relaxed);
      column_.put(context, row, samples[row], root);
    }
    end_samples(request);
    column_.pack(out);
  }

  void collate_list(std::vector<Sample> samples, SlotCursor& out) {
    if constexpr (CollateIntoSlot<Collate, Sample>) {
      BatchWriter writer(out);
      pack(out, collate_(std::move(samples), writer));
    } else if constexpr (CollateToBatch<Collate, Sample>) {
      pack(out, collate_(std::move(samples)));
    }
  }

  struct NoColumn {};
  template <bool Default, class T>
  struct ColumnFor {
    using Type = NoColumn;
  };
  template <class T>
  struct ColumnFor<true, T> {
    using Type = Column<T>;
  };

  std::optional<D> dataset_;  // empty only after close()
  [[no_unique_address]] Collate collate_;
  typename ColumnFor<kDefaultCollate, Sample>::Type column_;
};

}  // namespace forklift::detail
