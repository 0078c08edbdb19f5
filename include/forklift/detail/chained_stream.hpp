// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <forklift/dataset.hpp>
#include <forklift/detail/typed_stream.hpp>
#include <forklift/iterable_dataset.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::detail {

/// One pass over iterable datasets one behind the other, a `Children` of them. Each is started when
/// its turn comes.
///
/// Owner:  points into the datasets.
/// Errors: of next(): whatever a dataset's iterate() or its stream throws. After an error of
///         iterate() that dataset is passed over; after one of a stream it goes on as that stream
///         does.
template <class Children>
class ChainedStream {
  using Sample = typename Children::Sample;

 public:
  ChainedStream(Children& datasets, const WorkerInfo& info) : datasets_(datasets), info_(info) {}
  ChainedStream(const ChainedStream&) = delete;
  ChainedStream& operator=(const ChainedStream&) = delete;
  ~ChainedStream() = default;

  std::optional<Sample> next() {
    std::optional<Sample> sample;
    while (!sample.has_value() && (current_ != nullptr || start_next())) {
      sample = current_->next();
      if (!sample.has_value()) {
        current_.reset();
      }
    }
    return sample;
  }

 private:
  // The stream of any of the datasets.
  class Link {
   public:
    Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    virtual ~Link() = default;
    virtual std::optional<Sample> next() = 0;
  };
  template <class D>
  class LinkOf final : public Link {
   public:
    LinkOf(D& dataset, const WorkerInfo& info) : stream_(dataset, info) {}
    std::optional<Sample> next() override { return stream_.next(); }

   private:
    TypedStream<StreamOf<D>> stream_;
  };

  // False when there are no more datasets.
  bool start_next() {
    if (started_ == datasets_.count()) {
      return false;
    }
    // Counted first: one that cannot start is not tried again.
    current_ = datasets_.visit(started_++, [&]<class D>(D& dataset) -> std::unique_ptr<Link> {
      return std::make_unique<LinkOf<D>>(dataset, info_);
    });
    return true;
  }

  Children& datasets_;
  const WorkerInfo info_;  // a copy: the streams that start later may refer to it
  std::size_t started_ = 0;
  std::unique_ptr<Link> current_;
};

}  // namespace forklift::detail
