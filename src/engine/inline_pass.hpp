// SPDX-License-Identifier: MIT
#pragma once

// One pass without workers: the same fetcher fills the same kind of slot in the calling thread, one
// batch at a time and none ahead. The slots are private memory.

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/batch_ring.hpp"
#include "engine/batch_source.hpp"
#include "engine/length_check.hpp"
#include "engine/loader_state.hpp"
#include "engine/rotation.hpp"
#include "ipc/slot_reader.hpp"
#include "ipc/slot_writer.hpp"
#include "worker/stream_set.hpp"

#include <forklift/detail/engine_handle.hpp>
#include <forklift/error.hpp>

namespace forklift::engine {

/// Thread: one at a time.
class InlinePass final : public detail::Pass {
 public:
  /// `open_error` is what the dataset's open() threw, or null; it answers every batch, of an
  /// iterable dataset the first one.
  InlinePass(std::shared_ptr<LoaderState> loader,
             RingClaim ring,
             const PassStart& start,
             std::exception_ptr open_error = nullptr);

  bool next(detail::RawBatch& batch) override;

 private:
  void start_streams();
  [[nodiscard]] bool choose_stream();
  [[nodiscard]] bool is_dropped();
  void count();
  [[nodiscard]] std::optional<std::string> state_of_stream();
  [[nodiscard]] std::uint64_t batch_number() const noexcept;
  [[nodiscard]] bool make(detail::RawBatch& batch);
  bool end();
  void fill(std::uint32_t slot);
  [[noreturn]] void throw_worker_error(std::uint32_t slot) const;
  [[noreturn]] void throw_start_error(const std::exception_ptr& error,
                                      std::string_view stage) const;
  [[nodiscard]] WorkerError::Record describe_current() const;

  std::shared_ptr<LoaderState> loader_;
  RingClaim ring_;
  BatchSource source_;
  std::uint64_t epoch_;
  std::shared_ptr<Progress> progress_;
  ipc::SlotWriter writer_;
  ipc::SlotReader reader_;
  worker::StreamSet streams_;
  Rotation rotation_{0, 0};
  std::vector<std::uint64_t> to_drop_;  // of each stream: batches taken before, in another loader
  std::uint32_t turn_ = 0;              // the stream whose turn it is
  LengthCheck length_check_;
  std::exception_ptr open_error_;
  std::atomic<bool> busy_ = false;
};

}  // namespace forklift::engine
