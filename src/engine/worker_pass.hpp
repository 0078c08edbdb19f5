// SPDX-License-Identifier: MIT
#pragma once

// One pass with workers: PyTorch's dispatch and collect, semantics 3.5.
//
// The window is num_workers * prefetch_factor batches asked for and not yet taken. It is filled
// when the pass begins; each delivery asks for one more, before the batch or its error is handed
// out. Turns are of workers, or of the streams of an iterable dataset: one for each worker, but in
// a pass that goes on from a state one for each worker of the loader that left it. Worker i reads
// the streams i, i + num_workers, ... A stream at its end leaves the rotation, and once makes room
// for one more request; what it was asked beyond that is passed over. There is a slot for each
// place of the window and kMostLent more, and a delivery beyond those is copied out, so that a
// delivery always finds a free slot.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/batch_source.hpp"
#include "engine/crew.hpp"
#include "engine/length_check.hpp"
#include "engine/loader_state.hpp"
#include "engine/rotation.hpp"

#include <forklift/detail/engine_handle.hpp>

namespace forklift::engine {

/// Owner of its crew, unless the loader is persistent, which shares it. Thread: one at a time.
class WorkerPass final : public detail::Pass {
 public:
  WorkerPass(std::shared_ptr<LoaderState> loader,
             std::shared_ptr<Crew> crew,
             const PassStart& start);
  WorkerPass(const WorkerPass&) = delete;
  WorkerPass& operator=(const WorkerPass&) = delete;
  ~WorkerPass() override;

  bool next(detail::RawBatch& batch) override;
  /// A persistent loader began another pass: this one lets go of the workers and throws StateError
  /// from now on.
  void supersede();

 private:
  [[nodiscard]] const detail::ResolvedOptions& options() const noexcept {
    return loader_->plan.options;
  }
  void ask_for_one();
  [[nodiscard]] std::optional<std::uint32_t> choose_stream();
  [[nodiscard]] std::optional<std::uint32_t> wait_for_batch();
  [[nodiscard]] std::optional<std::uint32_t> find_ready();
  void absorb_exhausted();
  bool end();
  [[nodiscard]] bool deliver(std::uint32_t slot, detail::RawBatch& batch);
  [[nodiscard]] bool could_not_start(std::uint32_t slot);
  void count(const Request& request, std::uint32_t slot);
  void deliver_content(HeldSlot& held, const Request& request, detail::RawBatch& batch);

  std::shared_ptr<LoaderState> loader_;
  std::shared_ptr<Crew> crew_;  // empty once the pass is over
  BatchSource source_;
  std::uint64_t epoch_;
  std::shared_ptr<Progress> progress_;
  std::vector<std::uint64_t> to_drop_;  // of each stream: batches taken before
  std::uint64_t num_asked_ = 0;
  std::uint64_t num_done_ = 0;       // batches taken or passed over
  std::uint64_t next_turn_ = 0;      // in order: of the batch that is due
  Rotation rotation_;                // of streams, or of workers
  std::vector<std::uint64_t> load_;  // batches asked of each of them and not yet taken
  LengthCheck length_check_;
  bool superseded_ = false;
  std::atomic<bool> busy_ = false;
};

}  // namespace forklift::engine
