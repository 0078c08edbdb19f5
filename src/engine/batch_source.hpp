// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/loader_state.hpp"
#include "ipc/ring.hpp"

#include <forklift/detail/index_source.hpp>

namespace forklift::engine {

/// The batches of one pass as requests, which are written into slots: index lists, or for an
/// iterable dataset numbers of samples, without end. An exception of the sampler is kept: it is due
/// after the batches that were asked for before it. Thread: one at a time.
class BatchSource {
 public:
  BatchSource(const LoaderState& loader, const PassStart& start);

  /// Asks the sampler for the next batch. False at its end and after its exception.
  [[nodiscard]] bool next();
  [[nodiscard]] bool is_stream() const noexcept { return stream_rows_ != 0; }
  /// Number of indices of the batch that next() found, and its number in the pass.
  [[nodiscard]] std::uint64_t rows() const noexcept { return indices_.size(); }
  /// Most samples that the batch can have.
  [[nodiscard]] std::uint64_t most_samples() const noexcept { return rows() + stream_rows_; }
  [[nodiscard]] std::uint64_t sequence() const noexcept { return num_batches_ - 1; }
  [[nodiscard]] std::uint64_t num_batches() const noexcept { return num_batches_; }
  /// Writes that batch as a request into `slot`, to be read from `stream` of an iterable dataset.
  /// Returns the error of a batch whose indices alone do not fit, else null.
  [[nodiscard]] std::exception_ptr write(ipc::Ring& ring,
                                         std::uint32_t slot,
                                         std::uint32_t stream = 0) const;
  /// At the end of a pass: streams that were read again, and ended so many batches before the place
  /// where the state stopped, are an error behind the batches of the others.
  void check_read_again(std::span<const std::uint64_t> missing);
  /// Whether the sampler threw: the pass is over before its end.
  [[nodiscard]] bool is_cut_short() const noexcept { return is_cut_short_; }
  /// The sampler's exception, once.
  [[nodiscard]] std::exception_ptr take_error() noexcept { return std::exchange(error_, nullptr); }

 private:
  void skip_taken(std::optional<std::size_t> batch_size);
  [[nodiscard]] bool was_taken(std::uint64_t sequence) const;

  std::unique_ptr<detail::BatchCursor> cursor_;  // empty at the end
  std::vector<std::size_t> indices_;
  std::uint64_t num_batches_ = 0;
  std::uint64_t num_samples_ = 0;  // those of the current batch included
  PassStart start_;
  std::uint16_t flags_;
  std::uint64_t stream_rows_ = 0;
  std::exception_ptr error_;
  bool is_cut_short_ = false;
};

}  // namespace forklift::engine
