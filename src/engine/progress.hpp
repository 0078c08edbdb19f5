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
  /// The pass is over an iterable dataset: batches are counted for each worker too.
  void count_by_worker(std::size_t num_workers) {
    by_worker_.resize(num_workers, 0);
    streams_.resize(num_workers);
  }
  /// `state` is that of the worker's stream behind the batch; empty where it has none.
  void took_from(std::uint32_t worker, std::optional<std::string> state) {
    took(batches_, 0);
    ++by_worker_[worker];
    streams_[worker] = std::move(state);
    last_worker_ = worker;
  }
  void finish() noexcept { finished_ = true; }

  [[nodiscard]] bool is_finished() const noexcept { return finished_; }
  /// What was taken elsewhere.
  [[nodiscard]] const detail::PassSnapshot& before() const noexcept { return before_; }
  /// Batches of a worker's stream that a stream without a state has to read again.
  [[nodiscard]] std::uint64_t to_read_again(std::size_t worker) const {
    return streams_[worker].has_value() ? 0 : by_worker_[worker];
  }
  [[nodiscard]] const std::vector<std::optional<std::string>>& streams() const noexcept {
    return streams_;
  }
  /// The worker whose turn it is: behind the one whose batch was taken last, where streams are not
  /// read again from their beginning.
  [[nodiscard]] std::uint32_t next_worker(std::uint32_t num_workers) const;
  [[nodiscard]] detail::PassSnapshot snapshot(std::uint64_t epoch) const;

 private:
  void took_out_of_turn(std::uint64_t sequence);

  detail::PassSnapshot before_;
  std::uint64_t batches_ = 0;  // one beyond the last one taken
  std::uint64_t samples_ = 0;
  std::set<std::uint64_t> missing_;  // below batches_
  std::uint64_t batches_before_ = 0;
  std::uint64_t samples_before_ = 0;
  std::vector<std::uint64_t> by_worker_;
  std::vector<std::optional<std::string>> streams_;
  std::uint64_t last_worker_ = 0;
  bool finished_ = false;
};

}  // namespace forklift::engine
