// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/dataset.hpp>
#include <forklift/detail/dataset_checks.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/held_iterable.hpp>
#include <forklift/detail/typed_stream.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

/// The samples of an iterable dataset in a random order, as random as a buffer of `size` samples
/// makes it: a sample comes out of a random place of the buffer, the next one of the stream goes
/// in, and at the end of the stream the buffer is emptied. Each worker shuffles what it reads.
///
///   ShuffleBuffer(dataset, 10'000, 1)
///
/// The order depends on `seed` and on the seed, the id and the passes_before of the WorkerInfo, and
/// on nothing else. So each worker and each pass has another order, and all of them come again
/// where `seed` and the loader's base seed do (DataLoaderOptions::generator, or manual_seed()). A
/// loader that goes on from a state has the order of the pass that was interrupted, but with kept
/// workers only in their first pass. One buffer within another needs another `seed`.
///
/// It has size() and open() where the dataset has them.
///
/// Owner:  the dataset is moved in, or shared where it comes as a std::shared_ptr. Memory: `size`
///         samples for each stream, so for each worker; less where the stream is shorter. Samples
///         need not be copyable. The first sample comes once the buffer is full, and a worker does
///         not stop before that: mind DataLoaderOptions::timeout.
/// Errors: InvalidOptions when it is made with a size of 0 or less. What the stream throws comes at
///         once and loses no sample of the buffer: they come behind it, also where the stream is
///         over by it.
/// Source: the method of torchdata's Shuffler and tf.data's shuffle(); its numbers are SampleRng's
///         for (seed, WorkerInfo::seed, WorkerInfo::id, calls before).
template <class D>
class ShuffleBuffer {
  using Dataset = detail::HeldIterableAs<D>;
  using Sample = SampleOf<Dataset>;
  // Read as const where that can be done, so that several threads may begin passes.
  static constexpr bool kConst = IterableDataset<const Dataset>;
  using Source = std::conditional_t<kConst, const Dataset, Dataset>;

 public:
  /// One pass.
  class Stream {
   public:
    Stream(Source& dataset, const WorkerInfo& info, std::size_t size, const SampleRng& rng)
        : source_(dataset, info),
          size_(size),
          rng_(rng) {}

    std::optional<Sample> next() {
      fill();
      std::optional<Sample> sample;
      if (!buffer_.empty()) {
        std::optional<Sample>& place = buffer_[rng_.below(buffer_.size())];
        sample.emplace(std::move(*place));
        if (&place != &buffer_.back()) {
          place.emplace(std::move(*buffer_.back()));
        }
        buffer_.pop_back();
      }
      return sample;
    }

   private:
    // Before a number is drawn, so that an error of the stream takes none.
    void fill() {
      while (buffer_.size() < size_) {
        auto sample = source_.next();
        if (!sample.has_value()) {
          return;
        }
        buffer_.push_back(std::move(sample));
      }
    }

    detail::TypedStream<detail::StreamOf<Source>> source_;
    std::size_t size_;
    SampleRng rng_;
    // std::optional, since a sample need not be assignable.
    std::vector<std::optional<Sample>> buffer_;
  };

  ShuffleBuffer(D dataset, Count size, std::uint64_t seed)
      : dataset_(std::move(dataset)),
        size_(detail::positive_buffer_size(size)),
        seed_(seed) {}

  Stream iterate(const WorkerInfo& info) requires(!kConst) {
    return Stream(dataset_, info, size_, rng(info));
  }
  Stream iterate(const WorkerInfo& info) const requires kConst {
    return Stream(dataset_, info, size_, rng(info));
  }

  [[nodiscard]] std::size_t size() const requires detail::HasSize<const Dataset> {
    return detail::dataset_size(dataset_);
  }
  [[nodiscard]] std::size_t size() requires(detail::HasSize<Dataset> &&
                                            !detail::HasSize<const Dataset>) {
    return detail::dataset_size(dataset_);
  }
  void open(const WorkerInfo& info) requires detail::HasOpen<Dataset> { dataset_.open(info); }

 private:
  [[nodiscard]] SampleRng rng(const WorkerInfo& info) const {
    return SampleRng(seed_, info.seed, info.id, info.passes_before);
  }

  Dataset dataset_;
  std::size_t size_;
  std::uint64_t seed_;
};

}  // namespace forklift
