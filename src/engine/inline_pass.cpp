// SPDX-License-Identifier: MIT
#include "engine/inline_pass.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
      progress_(start.progress),
      writer_(ring_->ring()),
      reader_(ring_->ring()),
      streams_(*loader_->plan.fetcher, loader_->info_without_workers(start.base_seed)),
      length_check_(*loader_),
      open_error_(std::move(open_error)) {
  if (source_.is_stream()) {
    start_streams();
  }
}

// One, or those of the workers of the loader that left the pass.
void InlinePass::start_streams() {
  const std::size_t num_streams = progress_->count_by_stream(1);
  rotation_ = {num_streams, progress_->next_stream()};
  streams_.start_pass(num_streams, 0, progress_->streams());
  streams_.fail(open_error_, "open");
  for (std::uint32_t stream = 0; stream < num_streams; ++stream) {
    to_drop_.push_back(progress_->to_read_again(stream));
    static_cast<void>(streams_.at(stream));  // begins it
  }
}

bool InlinePass::next(detail::RawBatch& batch) {
  const OneAtATime guard(busy_);
  while (choose_stream() && source_.next()) {
    std::exception_ptr error;
    try {
      if (!make(batch)) {
        continue;
      }
    } catch (...) {
      error = sys::caught();
    }
    if (is_dropped()) {
      --to_drop_[turn_];
      continue;
    }
    count();
    if (error != nullptr) {
      std::rethrow_exception(error);
    }
    length_check_.delivered();
    return true;
  }
  source_.check_read_again(std::exchange(to_drop_, {}));
  return end();
}

// A batch that was taken before; not the error of a stream that cannot be read again.
bool InlinePass::is_dropped() {
  if (source_.is_stream() && streams_.at(turn_).stream == nullptr) {
    to_drop_[turn_] = 0;
  }
  return source_.is_stream() && to_drop_[turn_] > 0;
}

// False when all are at their end.
bool InlinePass::choose_stream() {
  if (!source_.is_stream()) {
    return true;
  }
  const auto stream = rotation_.next([](std::uint32_t /*stream*/) { return true; });
  turn_ = stream.value_or(0);
  return stream.has_value();
}

void InlinePass::count() {
  if (source_.is_stream()) {
    progress_->took_from(turn_, state_of_stream());
  } else {
    progress_->took(source_.sequence(), source_.rows());
  }
}

// Empty also where state() throws: that is told in the place of the batch.
std::optional<std::string> InlinePass::state_of_stream() {
  const auto& stream = streams_.at(turn_).stream;
  try {
    return stream != nullptr ? stream->state() : std::nullopt;
  } catch (...) {
    static_cast<void>(sys::caught());
    return std::nullopt;
  }
}

// A turn of a stream is no batch where it is at its end, or where it was taken before.
std::uint64_t InlinePass::batch_number() const noexcept {
  return source_.is_stream() ? progress_->num_batches() : source_.sequence();
}

// False when a stream is at its end.
bool InlinePass::make(detail::RawBatch& batch) {
  if (source_.is_stream()) {
    worker::Stream& stream = streams_.at(turn_);
    if (const auto error = std::exchange(stream.error, nullptr)) {
      // It has no number of batches that could each have the error.
      static_cast<void>(rotation_.leave(turn_));
      throw_start_error(error, stream.stage);
    }
  } else if (open_error_ != nullptr) {
    throw_start_error(open_error_, "open");
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
    static_cast<void>(rotation_.leave(turn_));
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
    writer_.fill(slot,
                 *loader_->plan.fetcher,
                 source_.is_stream() ? streams_.at(turn_).stream.get() : nullptr);
  } catch (const ResourceError& error) {
    throw of_batch(error, batch_number());
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

void InlinePass::throw_start_error(const std::exception_ptr& error, std::string_view stage) const {
  try {
    std::rethrow_exception(error);
  } catch (...) {
    WorkerError::Record record = describe_current();
    record.stage = stage;
    std::throw_with_nested(WorkerError(std::move(record)));
  }
}

// Of the exception that is being handled.
WorkerError::Record InlinePass::describe_current() const {
  ipc::ErrorRecord described = ipc::describe(sys::caught());
  WorkerError::Record record;
  record.type = std::move(described.type);
  record.message = std::move(described.message);
  record.batch_index = static_cast<std::size_t>(batch_number());
  record.epoch = static_cast<std::size_t>(epoch_);
  record.kind.reset();
  return record;
}

}  // namespace forklift::engine
