// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/collator.hpp>
#include <forklift/detail/dataset_fetcher.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/detail/typed_stream.hpp>
#include <forklift/iterable_dataset.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// An iterable dataset and the collate_fn of one loader, behind the Fetcher interface.
template <IterableDataset D, class Collate>
class StreamFetcher final : public DatasetFetcher<D> {
  using Sample = SampleOf<D>;
  using Stream = TypedStream<StreamOf<Readable<D>>>;

 public:
  StreamFetcher(D&& dataset, Collate&& collate)
      : DatasetFetcher<D>(std::move(dataset)),
        collator_(std::move(collate)) {}
  StreamFetcher(std::shared_ptr<D> dataset, Collator<Sample, Collate> collator)
      : DatasetFetcher<D>(std::move(dataset)),
        collator_(std::move(collator)) {}

  std::unique_ptr<SampleStream> start(const WorkerInfo& info) override {
    return std::make_unique<Stream>(this->readable(), info);
  }

  // A reference is one stream, whoever asks for it; a container may be read twice at a time.
  [[nodiscard]] bool has_separate_streams() const noexcept override {
    return !std::is_reference_v<StreamOf<Readable<D>>> ||
           (!NextStream<std::remove_reference_t<StreamOf<Readable<D>>>> &&
            std::ranges::forward_range<StreamOf<Readable<D>>>);
  }

  // The number of samples is known only when they have been read.
  std::optional<std::size_t> fill(const FillRequest& request, SlotCursor& out) override {
    auto& stream = static_cast<Stream&>(*request.stream);
    std::vector<Sample> samples;
    while (samples.size() < request.stream_rows) {
      request.begin_sample(samples.size());
      auto sample = stream.next();
      if (!sample.has_value()) {
        break;
      }
      samples.push_back(*std::move(sample));
    }
    request.end_samples();
    const std::size_t count = samples.size();
    if (count == 0 || (request.drop_last && count < request.stream_rows)) {
      stream.end();
      return std::nullopt;
    }
    collator_.list(std::move(samples), request, out);
    return count;
  }

  [[nodiscard]] std::unique_ptr<Fetcher> share() const override {
    if constexpr (std::copy_constructible<Collate>) {
      return std::make_unique<StreamFetcher>(this->shared_dataset(), collator_.again());
    } else {
      return nullptr;
    }
  }

 private:
  Collator<Sample, Collate> collator_;
};

}  // namespace forklift::detail
