// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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
  void count_by_worker(std::size_t num_workers) { by_worker_.resize(num_workers, 0); }
  void took_from(std::uint32_t worker) { ++by_worker_[worker]; }
  void finish() noexcept { finished_ = true; }

  [[nodiscard]] bool is_finished() const noexcept { return finished_; }
  [[nodiscard]] std::uint64_t batches() const noexcept { return batches_; }
  [[nodiscard]] std::uint64_t samples() const noexcept { return samples_; }
  [[nodiscard]] const std::vector<std::uint64_t>& by_worker() const noexcept { return by_worker_; }
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
  bool finished_ = false;
};

}  // namespace forklift::engine
