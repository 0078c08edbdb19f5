// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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
  explicit Progress(const detail::PassSnapshot& before);

  /// Batch `sequence`, of `indices` indices, was taken.
  void took(std::uint64_t sequence, std::uint64_t indices) {
    if (sequence == batches_) [[likely]] {
      ++batches_;
      samples_ += indices;
      if (!ahead_.empty()) {
        join_ahead();
      }
    } else {
      ahead_.emplace(sequence, indices);
    }
  }
  /// Batch `sequence`, taken before its turn in another loader, has `indices` indices.
  void count_ahead(std::uint64_t sequence, std::uint64_t indices) {
    ahead_.at(sequence) = indices;
    join_ahead();
  }
  /// The pass is over an iterable dataset: batches are counted for each worker too.
  void count_by_worker(std::size_t num_workers) {
    by_worker_.resize(num_workers, 0);
    streams_.resize(num_workers);
  }
  /// `state` is that of the worker's stream behind the batch; empty where it has none.
  void took_from(std::uint32_t worker, std::optional<std::string> state) {
    ++by_worker_[worker];
    streams_[worker] = std::move(state);
    last_worker_ = worker;
  }
  void finish() noexcept { finished_ = true; }

  [[nodiscard]] bool is_finished() const noexcept { return finished_; }
  [[nodiscard]] std::uint64_t batches() const noexcept { return batches_; }
  [[nodiscard]] std::uint64_t samples() const noexcept { return samples_; }
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
  /// Whether batch `sequence` was taken before its turn.
  [[nodiscard]] bool is_ahead(std::uint64_t sequence) const { return ahead_.contains(sequence); }
  [[nodiscard]] bool has_ahead() const noexcept { return !ahead_.empty(); }
  [[nodiscard]] detail::PassSnapshot snapshot(std::uint64_t epoch) const;

 private:
  void join_ahead();

  std::uint64_t batches_ = 0;  // without a gap
  std::uint64_t samples_ = 0;  // indices of those
  std::map<std::uint64_t, std::uint64_t> ahead_;
  std::vector<std::uint64_t> by_worker_;
  std::vector<std::optional<std::string>> streams_;
  std::uint64_t last_worker_ = 0;
  bool finished_ = false;
};

}  // namespace forklift::engine
