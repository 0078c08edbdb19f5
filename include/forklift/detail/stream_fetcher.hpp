// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/dataset.hpp>
#include <forklift/detail/collator.hpp>
#include <forklift/detail/dataset_fetcher.hpp>
#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/iterable_dataset.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

template <class S>
struct IteratorOf {
  struct Type {};
};
template <RangeStream S>
struct IteratorOf<S> {
  using Type = std::ranges::iterator_t<S>;
};

/// What iterate() returned, driven one sample at a time. `S` is a reference where it returned one.
/// After its end it is not asked again.
template <class S>
class TypedStream final : public SampleStream {
  using Stream = std::remove_reference_t<S>;
  using Sample = typename SampleOfStream<Stream>::Type;

 public:
  /// The stream is made in place: it need not be movable.
  template <class D>
  TypedStream(D& dataset, const WorkerInfo& info) : stream_(dataset.iterate(info)) {}

  /// Empty at the end, again and again.
  std::optional<Sample> next() {
    std::optional<Sample> sample;
    if (!ended_) {
      if constexpr (NextStream<Stream>) {
        auto found = stream_.next();
        ended_ = !found.has_value();
        if (!ended_) {
          sample.emplace(*std::move(found));
        }
      } else {
        ended_ = true;  // stays so if the range throws: its iterator is in no known state then
        if (!at_.has_value()) {
          at_.emplace(std::ranges::begin(stream_));
        } else {
          ++*at_;
        }
        if (*at_ != std::ranges::end(stream_)) {
          emplace_current(sample);
          ended_ = false;
        }
      }
    }
    return sample;
  }

  void end() noexcept { ended_ = true; }

  std::optional<std::string> state() override {
    if constexpr (SavesItsPlace<Stream>) {
      return stream_.state();
    } else {
      return std::nullopt;
    }
  }
  void restore([[maybe_unused]] const std::string& state) override {
    if constexpr (SavesItsPlace<Stream>) {
      stream_.restore(state);
    }
  }

 private:
  void emplace_current(std::optional<Sample>& sample) {
    if constexpr (std::constructible_from<Sample, decltype(**at_)>) {
      sample.emplace(**at_);
    } else {
      static_assert(!std::is_reference_v<S> && !std::ranges::view<Stream>,
                    "Forklift: the samples of a range that the dataset keeps, or that is a view, "
                    "must be copyable; return the container itself, or an object with next()");
      sample.emplace(std::ranges::iter_move(*at_));  // the stream's own, and read once
    }
  }

  S stream_;
  std::optional<typename IteratorOf<Stream>::Type> at_;  // of a range, once it has begun
  bool ended_ = false;
};

/// An iterable dataset and the collate_fn of one loader, behind the Fetcher interface.
template <IterableDataset D, class Collate>
class StreamFetcher final : public DatasetFetcher<D> {
  using Sample = SampleOf<D>;
  using Stream = TypedStream<StreamOf<D>>;

 public:
  StreamFetcher(D&& dataset, Collate&& collate)
      : DatasetFetcher<D>(std::move(dataset)),
        collator_(std::move(collate)) {}

  std::unique_ptr<SampleStream> start(const WorkerInfo& info) override {
    return std::make_unique<Stream>(this->dataset(), info);
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

 private:
  Collator<Sample, Collate> collator_;
};

}  // namespace forklift::detail
