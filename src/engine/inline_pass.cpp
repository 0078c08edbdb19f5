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
      writer_(ring_->ring()),
      reader_(ring_->ring()),
      open_error_(std::move(open_error)) {}

bool InlinePass::next(detail::RawBatch& batch) {
  const OneAtATime guard(busy_);
  if (!source_.next()) {
    if (const auto error = source_.take_error()) {
      throw detail::SamplerError{error};
    }
    return false;
  }
  if (open_error_ != nullptr) {
    throw_open_error();
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
  auto lent = lend(ring_.shared(), slot, content.payload_bytes);
  batch = {.meta = content.meta, .payload = lent.payload, .owner = std::move(lent.owner)};
  return true;
}

void InlinePass::fill(std::uint32_t slot) {
  if (const auto error = source_.write(ring_->ring(), slot)) {
    std::rethrow_exception(error);
  }
  try {
    writer_.fill(slot, *loader_->plan.fetcher);
  } catch (const ResourceError& error) {
    throw of_batch(error, source_.sequence());
  } catch (...) {
    if (std::current_exception() == nullptr) {
      throw;  // a forced unwind (pthread_exit) must go on
    }
    throw_worker_error(slot);
  }
}

// The user's exception is nested: in this process it is still there.
void InlinePass::throw_worker_error(std::uint32_t slot) const {
  WorkerError::Record record = describe_current();
  if (const auto position = reader_.read_in_progress(slot, source_.rows())) {
    record.position = static_cast<std::size_t>(*position);
    record.dataset_index = reader_.read_indices(slot, source_.rows())[*record.position];
  }
  std::throw_with_nested(WorkerError(std::move(record)));
}

void InlinePass::throw_open_error() const {
  try {
    std::rethrow_exception(open_error_);
  } catch (...) {
    WorkerError::Record record = describe_current();
    record.stage = "open";
    std::throw_with_nested(WorkerError(std::move(record)));
  }
}

// Of the exception that is being handled.
WorkerError::Record InlinePass::describe_current() const {
  ipc::ErrorRecord described = ipc::describe(std::current_exception());
  WorkerError::Record record;
  record.type = std::move(described.type);
  record.message = std::move(described.message);
  record.batch_index = static_cast<std::size_t>(source_.sequence());
  record.epoch = static_cast<std::size_t>(epoch_);
  record.in_worker_process = false;
  return record;
}

}  // namespace forklift::engine
