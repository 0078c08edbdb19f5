// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include <forklift/detail/fetcher.hpp>
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

}  // namespace forklift::detail
