// SPDX-License-Identifier: MIT
#include "engine/inline_pass.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "ipc/error_record.hpp"
#include "ipc/ring_layout.hpp"
#include "sys/caught.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {

InlinePass::InlinePass(std::shared_ptr<LoaderState> loader,
                       RingClaim ring,
                       const PassStart& start,
                       std::exception_ptr open_error)
    : loader_(std::move(loader)),
      ring_(std::move(ring)),
      source_(*loader_, start),
      epoch_(start.epoch),
      info_(loader_->info_without_workers(start.base_seed)),
      progress_(start.progress),
      writer_(ring_->ring()),
      reader_(ring_->ring()),
      length_check_(*loader_),
      start_error_(std::move(open_error)) {
  if (source_.is_stream()) {
    progress_->count_by_worker(1);
    to_drop_ = progress_->to_read_again(0);
    if (start_error_ == nullptr) {
      start_stream();
    }
  }
}

// What iterate() throws stands in the place of the first batch, as with workers.
void InlinePass::start_stream() {
  start_stage_ = "iterate";
  try {
    stream_ = loader_->plan.fetcher->start(info_);
    if (const auto& state = progress_->streams().front()) {
      start_stage_ = "restore";
      stream_->restore(*state);
    }
  } catch (...) {
    start_error_ = sys::caught();
    stream_.reset();
  }
}

bool InlinePass::next(detail::RawBatch& batch) {
  const OneAtATime guard(busy_);
  while (!ended_ && source_.next()) {
    std::exception_ptr error;
    try {
      if (!make(batch)) {
        break;
      }
    } catch (...) {
      error = sys::caught();
    }
    if (to_drop_ > 0) {
      --to_drop_;
      continue;
    }
    count();
    if (error != nullptr) {
      std::rethrow_exception(error);
    }
    length_check_.delivered();
    return true;
  }
  return end();
}

void InlinePass::count() {
  if (source_.is_stream()) {
    progress_->took_from(0, stream_ != nullptr ? stream_->state() : std::nullopt);
  } else {
    progress_->took(source_.sequence(), source_.rows());
  }
}

// False when a stream is at its end.
bool InlinePass::make(detail::RawBatch& batch) {
  if (start_error_ != nullptr) {
    ended_ = source_.is_stream();  // it has no number of batches that could each have the error
    throw_start_error();
  }
  const std::uint32_t slot = ring_->slots().take_free(0);
  ipc::SlotContent content;
  try {
    fill(slot);
    content = reader_.read(slot);
  } catch (...) {
    ring_->slots().give_back(slot);
    throw;
  }
  if (content.kind == ipc::SlotKind::kExhausted) {
    ring_->slots().give_back(slot);
    ended_ = true;
    return false;
  }
  auto lent = lend(ring_.shared(), slot, content.payload_bytes);
  batch = {.meta = content.meta, .payload = lent.payload, .owner = std::move(lent.owner)};
  return true;
}

bool InlinePass::end() {
  if (const auto error = source_.take_error()) {
    throw detail::SamplerError{error};
  }
  if (!source_.is_cut_short()) {
    progress_->finish();
  }
  return false;
}

void InlinePass::fill(std::uint32_t slot) {
  if (const auto error = source_.write(ring_->ring(), slot)) {
    std::rethrow_exception(error);
  }
  try {
    writer_.fill(slot, *loader_->plan.fetcher, stream_.get());
  } catch (const ResourceError& error) {
    throw of_batch(error, source_.sequence());
  } catch (...) {
    throw_worker_error(slot);
  }
}

// The user's exception is nested: in this process it is still there.
void InlinePass::throw_worker_error(std::uint32_t slot) const {
  WorkerError::Record record = describe_current();
  if (const auto position = reader_.read_in_progress(slot, source_.most_samples())) {
    record.position = static_cast<std::size_t>(*position);
    if (!source_.is_stream()) {
      record.dataset_index = reader_.read_indices(slot, source_.rows())[*record.position];
    }
  }
  std::throw_with_nested(WorkerError(std::move(record)));
}

void InlinePass::throw_start_error() {
  try {
    std::rethrow_exception(start_error_);
  } catch (...) {
    WorkerError::Record record = describe_current();
    record.stage = start_stage_;
    std::throw_with_nested(WorkerError(std::move(record)));
  }
}

// Of the exception that is being handled.
WorkerError::Record InlinePass::describe_current() const {
  ipc::ErrorRecord described = ipc::describe(sys::caught());
  WorkerError::Record record;
  record.type = std::move(described.type);
  record.message = std::move(described.message);
  record.batch_index = static_cast<std::size_t>(source_.sequence());
  record.epoch = static_cast<std::size_t>(epoch_);
  record.kind.reset();
  return record;
}

}  // namespace forklift::engine
