// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <forklift/dataset.hpp>
#include <forklift/detail/dataset_size.hpp>
#include <forklift/detail/typed_stream.hpp>
#include <forklift/iterable_dataset.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {

namespace detail {

// In a function, since clang++ would have more to say about a class that failed.
template <class Transform, class Sample>
consteval bool check_stream_transform() {
  constexpr bool kPlain = std::invocable<Transform&, Sample>;
  constexpr bool kRandom = !kPlain && std::invocable<Transform&, Sample, SampleRng&>;
  static_assert(!kRandom,
                "Forklift: map() of an iterable dataset cannot give the transform a SampleRng: a "
                "stream has no index to key random numbers by; let the transform, or the dataset's "
                "iterate(), hold a generator that is seeded from WorkerInfo::seed");
  static_assert(kPlain || kRandom,
                "Forklift: the transform of map() must be callable with a sample of the dataset");
  return true;
}

/// What a transform makes of a sample; the sample itself where it makes nothing of one: the message
/// about that is enough.
template <class Transform, class Sample>
struct TransformedSample {
  static_assert(check_stream_transform<Transform, Sample>());
  using Type = Sample;
};
template <class Transform, class Sample>
requires std::invocable<Transform&, Sample>
struct TransformedSample<Transform, Sample> {
  using Type = std::remove_cvref_t<std::invoke_result_t<Transform&, Sample>>;
};

}  // namespace detail

/// An iterable dataset whose samples are those of another one, transformed. Made by map().
///
/// Owner:  its streams point into it.
/// Errors: an exception of the transform is as one that the other dataset's stream throws for that
///         sample: a next() goes on behind it, a range is over.
template <IterableDataset D, class Transform>
class MappedIterable {
  // Read as const where that can be done, so that several threads may begin passes.
  static constexpr bool kConst =
      IterableDataset<const D> && std::invocable<const Transform&, SampleOf<D>>;
  using Dataset = std::conditional_t<kConst, const D, D>;
  using Function = std::conditional_t<kConst, const Transform, Transform>;
  using Source = detail::TypedStream<detail::StreamOf<Dataset>>;
  using Sample = typename detail::TransformedSample<Transform, SampleOf<D>>::Type;
  static constexpr bool kSaves =
      detail::SavesItsPlace<std::remove_reference_t<detail::StreamOf<Dataset>>>;

 public:
  /// One pass.
  class Stream {
   public:
    Stream(Dataset& dataset, Function& transform, const WorkerInfo& info)
        : source_(dataset, info),
          transform_(&transform) {}

    std::optional<Sample> next() {
      std::optional<Sample> result;
      if (auto sample = source_.next()) {
        if constexpr (std::invocable<Function&, SampleOf<D>>) {
          emplace_transformed(result, *std::move(sample));
        }
      }
      return result;
    }

    /// Where the other stream stands.
    [[nodiscard]] std::string state() requires kSaves { return source_.state().value(); }
    void restore(const std::string& state) requires kSaves { source_.restore(state); }

   private:
    static constexpr bool kIsRange =
        detail::RangeStream<std::remove_reference_t<detail::StreamOf<Dataset>>>;

    void emplace_transformed(std::optional<Sample>& result, SampleOf<D>&& sample) {
      if constexpr (kIsRange) {
        try {
          result.emplace(std::invoke(*transform_, std::move(sample)));
        } catch (...) {
          source_.end();
          throw;
        }
      } else {
        result.emplace(std::invoke(*transform_, std::move(sample)));
      }
    }

    Source source_;
    Function* transform_;
  };

  MappedIterable(D dataset, Transform transform)
      : dataset_(std::move(dataset)),
        transform_(std::move(transform)) {}

  Stream iterate(const WorkerInfo& info) requires(!kConst) {
    return Stream(dataset_, transform_, info);
  }
  Stream iterate(const WorkerInfo& info) const requires kConst {
    return Stream(dataset_, transform_, info);
  }

  [[nodiscard]] std::size_t size() const requires detail::HasSize<const D> {
    return detail::dataset_size(dataset_);
  }
  [[nodiscard]] std::size_t size() requires(detail::HasSize<D> && !detail::HasSize<const D>) {
    return detail::dataset_size(dataset_);
  }
  void open(const WorkerInfo& info) requires detail::HasOpen<D> { dataset_.open(info); }

 private:
  D dataset_;
  Transform transform_;
};

}  // namespace forklift
