// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/collator.hpp>
#include <forklift/detail/dataset_fetcher.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/index_source.hpp>
#include <forklift/detail/read_dataset.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/error.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// A map-style dataset and the collate_fn of one loader, behind the Fetcher interface.
template <MapDataset D, class Collate>
class MapFetcher final : public DatasetFetcher<D> {
  using Sample = SampleOf<D>;

 public:
  MapFetcher(D&& dataset, Collate&& collate)
      : DatasetFetcher<D>(std::move(dataset)),
        collator_(std::move(collate)) {}
  MapFetcher(std::shared_ptr<D> dataset, Collator<Sample, Collate> collator)
      : DatasetFetcher<D>(std::move(dataset)),
        collator_(std::move(collator)) {}

  std::unique_ptr<SampleStream> start(const WorkerInfo& /*info*/) override { return nullptr; }

  std::optional<std::size_t> fill(const FillRequest& request, SlotCursor& out) override {
    if constexpr (!Collator<Sample, Collate>::kTakesNone) {
      if (request.indices.empty()) [[unlikely]] {
        throw_empty_batch();
      }
    }
    if constexpr (!HasBulkGet<D>) {
      return fill_one_by_one(request, out);
    } else if constexpr (HasPlainGet<D> || HasRandomGet<D>) {
      return request.is_single ? fill_one_by_one(request, out) : fill_in_bulk(request, out);
    } else {
      return fill_in_bulk(request, out);
    }
  }

  [[nodiscard]] std::unique_ptr<Fetcher> share() const override {
    if constexpr (std::copy_constructible<Collate>) {
      return std::make_unique<MapFetcher>(this->shared_dataset(), collator_.again());
    } else {
      return nullptr;
    }
  }

 private:
  std::size_t fill_one_by_one(const FillRequest& request, SlotCursor& out) {
    const std::size_t count = request.indices.size();
    if constexpr (Collator<Sample, Collate>::kByRows) {
      collator_.by_rows(request, count, out, [&](std::size_t row) -> decltype(auto) {
        request.begin_sample(row);
        return read(request, row);
      });
    } else {
      std::vector<Sample> samples;
      samples.reserve(count);
      for (std::size_t row = 0; row < count; ++row) {
        request.begin_sample(row);
        samples.push_back(read(request, row));
      }
      request.end_samples();
      collator_.list(std::move(samples), request, out);
    }
    return count;
  }

  decltype(auto) read(const FillRequest& request, std::size_t position) {
    const auto index = static_cast<std::size_t>(request.indices[position]);
    if constexpr (HasRandomGet<D>) {
      SampleRng rng(request.seed,
                    request.epoch,
                    index,
                    request.unique_indices ? 0 : request.first_ordinal + position + 1);
      return this->readable().get(index, rng);
    } else {
      return this->readable().get(index);
    }
  }

  std::size_t fill_in_bulk(const FillRequest& request, SlotCursor& out) {
    static_assert(std::is_same_v<std::size_t, std::uint64_t>,
                  "indices travel as 64-bit numbers and are handed on in place");
    std::vector<Sample> samples = read_in_bulk(this->readable(), request.indices);
    if (samples.empty() && !request.indices.empty()) {
      throw TensorError("get_batch returned no sample for a batch of " +
                        std::to_string(request.indices.size()));
    }
    const std::size_t count = samples.size();
    if (request.is_single && count != 1) {
      throw TensorError("get_batch returned " + std::to_string(count) +
                        " samples for one index, and there are no batches");
    }
    collator_.list(std::move(samples), request, out);
    return count;
  }

  Collator<Sample, Collate> collator_;
};

}  // namespace forklift::detail
