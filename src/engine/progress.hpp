// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <forklift/detail/loader_snapshot.hpp>

namespace forklift::engine {

/// What the user has taken of one pass, errors in the place of batches included. Shared by the pass
/// and its engine, so that the state can be asked for when the pass is gone.
/// Thread: the one that uses the loader.
class Progress {
 public:
  Progress() = default;
  /// Goes on with what was taken elsewhere.
  explicit Progress(detail::PassSnapshot before);

  /// Batch `sequence`, of `indices` indices, was taken.
  void took(std::uint64_t sequence, std::uint64_t indices) {
    samples_ += indices;
    if (sequence == batches_) [[likely]] {
      ++batches_;
    } else {
      took_out_of_turn(sequence);
    }
  }
  /// The pass is over an iterable dataset: batches are counted for each stream too. There is one
  /// for each worker, of this loader or of the one that began the pass. Returns their number.
  std::size_t count_by_stream(std::size_t num_workers) {
    if (by_stream_.empty()) {
      by_stream_.resize(num_workers, 0);
      streams_.resize(num_workers);
    }
    return by_stream_.size();
  }
  /// `state` is that of the stream behind the batch; empty where it has none.
  void took_from(std::uint32_t stream, std::optional<std::string> state) {
    took(batches_, 0);
    ++by_stream_[stream];
    streams_[stream] = std::move(state);
    last_stream_ = stream;
  }
  void finish() noexcept { finished_ = true; }

  [[nodiscard]] bool is_finished() const noexcept { return finished_; }
  /// Of an iterable dataset: batches taken, so the number of the next one.
  [[nodiscard]] std::uint64_t num_batches() const noexcept { return batches_; }
  /// What was taken elsewhere.
  [[nodiscard]] const detail::PassSnapshot& before() const noexcept { return before_; }
  /// Batches that a stream without a state has to read again.
  [[nodiscard]] std::uint64_t to_read_again(std::size_t stream) const {
    return streams_[stream].has_value() ? 0 : by_stream_[stream];
  }
  [[nodiscard]] const std::vector<std::optional<std::string>>& streams() const noexcept {
    return streams_;
  }
  /// The stream whose turn it is: behind the one whose batch was taken last, where streams are not
  /// read again from their beginning.
  [[nodiscard]] std::size_t next_stream() const;
  [[nodiscard]] detail::PassSnapshot snapshot(std::uint64_t epoch) const;

 private:
  void took_out_of_turn(std::uint64_t sequence);

  detail::PassSnapshot before_;
  std::uint64_t batches_ = 0;  // one beyond the last one taken
  std::uint64_t samples_ = 0;
  std::set<std::uint64_t> missing_;  // below batches_
  std::uint64_t batches_before_ = 0;
  std::uint64_t samples_before_ = 0;
  std::vector<std::uint64_t> by_stream_;
  std::vector<std::optional<std::string>> streams_;
  std::uint64_t last_stream_ = 0;
  bool finished_ = false;
};

}  // namespace forklift::engine
