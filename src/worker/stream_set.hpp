// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <forklift/detail/fetcher.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::worker {

/// Where each stream of a pass goes on from, empty for one that is read from its beginning.
using StreamStates = std::vector<std::optional<std::string>>;

/// One stream of a pass over an iterable dataset, in the process that reads it.
struct Stream {
  WorkerInfo info;  // before `stream`, which may refer to it
  std::unique_ptr<detail::SampleStream> stream;
  std::exception_ptr error;  ///< why there is no stream, until that was told
  std::string_view stage;    ///< where it comes from
};

/// The streams of one pass that one process reads, by turns. There is one for each worker; in a
/// pass that goes on from a state one for each worker of the loader that left it. Each sees the
/// WorkerInfo that it would have there. Thread: one at a time.
class StreamSet {
 public:
  /// `reader` is the worker that reads them.
  StreamSet(detail::Fetcher& fetcher, const WorkerInfo& reader) noexcept
      : fetcher_(&fetcher),
        reader_(reader) {}

  /// Begins a pass, before which the reader began others; the streams of the one before are gone.
  /// Stream i goes on from `states[i]`, if there is one.
  void start_pass(std::size_t num_streams, std::size_t passes_before, StreamStates states);
  /// All streams of this pass have this error.
  void fail(std::exception_ptr error, std::string_view stage) noexcept;
  [[nodiscard]] WorkerInfo info_of(std::uint32_t number) const noexcept {
    WorkerInfo info = reader_;
    info.id = number;
    info.num_workers = streams_.size();
    info.seed = reader_.seed - reader_.id + number;
    return info;
  }
  /// Stream `number`, which is begun if it was not yet. Errors: std::out_of_range.
  [[nodiscard]] Stream& at(std::uint32_t number);
  void clear() noexcept { streams_.clear(); }

 private:
  void begin(Stream& stream) const;

  detail::Fetcher* fetcher_;
  WorkerInfo reader_;
  std::vector<std::optional<Stream>> streams_;
  StreamStates states_;
  std::exception_ptr error_;
  std::string_view stage_;
};

}  // namespace forklift::worker
