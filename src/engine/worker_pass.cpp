// SPDX-License-Identifier: MIT
#include "engine/worker_pass.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/batch_error.hpp"
#include "engine/batch_ring.hpp"
#include "ipc/slot_reader.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {
namespace {

// Batch k comes from worker k modulo num_workers, also when others were taken elsewhere.
Rotation turns_of(const BatchSource& source, Progress& progress, std::size_t num_workers) {
  if (source.is_stream()) {
    const std::size_t num_streams = progress.count_by_stream(num_workers);
    return {num_streams, progress.next_stream()};
  }
  return {num_workers, static_cast<std::size_t>(source.num_batches() % num_workers)};
}

}  // namespace

WorkerPass::WorkerPass(std::shared_ptr<LoaderState> loader,
                       std::shared_ptr<Crew> crew,
                       const PassStart& start)
    : loader_(std::move(loader)),
      crew_(std::move(crew)),
      source_(*loader_, start),
      epoch_(start.epoch),
      progress_(start.progress),
      rotation_(turns_of(source_, *progress_, crew_->num_workers())),
      load_(rotation_.num_active(), 0),
      length_check_(*loader_) {
  to_drop_.resize(load_.size(), 0);
  for (std::size_t stream = 0; source_.is_stream() && stream < to_drop_.size(); ++stream) {
    to_drop_[stream] = progress_->to_read_again(stream);
  }
  for (std::size_t i = 0; i < options().window(); ++i) {
    ask_for_one();
  }
}

WorkerPass::~WorkerPass() {
  if (crew_ == nullptr || !crew_->is_ours()) {
    return;
  }
  try {
    crew_->abandon_all();
  } catch (...) {
    crew_->give_up();  // a destructor has nobody to tell; the next pass of a persistent loader
                       // makes new workers
  }
}

void WorkerPass::supersede() {
  const OneAtATime guard(busy_);
  superseded_ = true;
  if (const auto crew = std::exchange(crew_, nullptr)) {
    crew->abandon_all();
  }
}

bool WorkerPass::next(detail::RawBatch& batch) {
  const OneAtATime guard(busy_);
  if (superseded_) {
    throw StateError(
        "the loader has begun another pass: with persistent_workers there is one at a time, and "
        "this iterator belongs to an earlier one");
  }
  if (crew_ == nullptr) {
    return end();
  }
  if (!crew_->is_ours()) {
    throw StateError(
        "this iterator belongs to the process that made it, and this is a fork of that: call "
        "begin() here for workers of its own");
  }
  try {
    crew_->check_alive();
    while (const auto slot = wait_for_batch()) {
      if (deliver(*slot, batch)) {
        return true;
      }
    }
    source_.check_read_again(std::exchange(to_drop_, {}));
    if (!source_.is_cut_short()) {
      progress_->finish();
    }
    if (!options().persistent_workers) {
      crew_.reset();  // the end of a pass is the end of its workers
    }
    return end();
  } catch (...) {
    if (crew_ != nullptr &&
        crew_->is_broken()) {  // a death, or the loss of all: the end of the pass
      crew_.reset();
      static_cast<void>(source_.take_error());  // nothing comes after it
    }
    throw;
  }
}

bool WorkerPass::end() {
  if (const auto error = source_.take_error()) {
    throw detail::SamplerError{error};
  }
  return false;
}

void WorkerPass::ask_for_one() {
  if (rotation_.num_active() == 0 || !source_.next()) {
    return;
  }
  const auto stream = choose_stream();
  if (!stream.has_value()) {
    return;
  }
  const std::uint32_t worker = *stream % crew_->num_workers();
  ipc::Ring& ring = crew_->ring()->ring();
  const std::uint32_t slot = crew_->ring()->slots().take_free(worker);
  Request request;
  request.turn = num_asked_;
  request.sequence = source_.sequence();
  request.rows = source_.rows();
  request.samples = source_.most_samples();
  request.worker = worker;
  request.stream = *stream;
  request.error = source_.write(ring, slot, *stream);
  ++load_[*stream];
  ++num_asked_;
  if (request.error != nullptr) {
    request.state = Request::State::kFailed;
    crew_->in_flight().add(slot, std::move(request));
  } else {
    crew_->post(worker, slot, std::move(request));
  }
}

// Round robin among those that are not at their end; out of order, those that have their share of
// the window are passed over.
std::optional<std::uint32_t> WorkerPass::choose_stream() {
  const std::uint64_t share =
      std::max<std::uint64_t>(options().window() / rotation_.num_active(), 1);
  return rotation_.next(
      [&](std::uint32_t stream) { return options().in_order || load_[stream] < share; });
}

// Empty at the end.
std::optional<std::uint32_t> WorkerPass::wait_for_batch() {
  while (true) {
    absorb_exhausted();
    if (num_done_ == num_asked_) {
      return std::nullopt;
    }
    if (auto slot = find_ready()) {
      return slot;
    }
    InFlight& in_flight = crew_->in_flight();
    std::optional<std::uint32_t> worker;
    if (options().in_order) {
      worker = in_flight.at(in_flight.slot_of(next_turn_)).worker;
    }
    crew_->wait(worker, options().timeout, [&] {
      return in_flight.has_exhausted() || in_flight.ready(next_turn_).has_value();
    });
  }
}

std::optional<std::uint32_t> WorkerPass::find_ready() {
  const InFlight& in_flight = crew_->in_flight();
  while (source_.is_stream() && next_turn_ < num_asked_ && in_flight.is_passed_over(next_turn_)) {
    ++next_turn_;
  }
  return in_flight.ready(next_turn_);
}

void WorkerPass::absorb_exhausted() {
  if (!crew_->in_flight().has_exhausted()) {
    return;
  }
  Request request;
  while (const auto slot = crew_->in_flight().take_exhausted(request)) {
    crew_->ring()->slots().give_back(*slot);
    ++num_done_;
    if (rotation_.leave(request.stream)) {
      ask_for_one();
    }
  }
}

// False for a batch that was taken before, in another loader.
bool WorkerPass::deliver(std::uint32_t slot, detail::RawBatch& batch) {
  Request request = crew_->in_flight().remove(slot);
  ++num_done_;
  ++next_turn_;
  --load_[request.stream];
  HeldSlot held(crew_->ring()->slots(), slot);
  if (to_drop_[request.stream] > 0 && could_not_start(slot)) {
    to_drop_[request.stream] = 0;
  }
  if (to_drop_[request.stream] > 0) {
    --to_drop_[request.stream];
    held.give_back();
    ask_for_one();
    return false;
  }
  if (source_.is_stream()) {  // how many requests no batch came of is a matter of time
    request.sequence = progress_->num_batches();
  }
  count(request, slot);
  // The worker waits for its next request as the user waits for this batch. With a slot free the
  // request goes first, while the lines of the batch are on their way to this core.
  const bool asks_first = crew_->ring()->slots().num_free() > 0;
  if (asks_first) {
    ask_for_one();
  }
  std::exception_ptr error = request.error;
  if (error == nullptr) {
    try {
      deliver_content(held, request, batch);
    } catch (...) {
      error = std::current_exception();
    }
  }
  held.give_back();
  if (!asks_first) {
    ask_for_one();
  }
  if (error != nullptr) {
    std::rethrow_exception(error);
  }
  length_check_.delivered();
  return true;
}

// A stream that has to be read again, and cannot be: that is told, not dropped.
bool WorkerPass::could_not_start(std::uint32_t slot) {
  return crew_->reader().read(slot).kind == ipc::SlotKind::kError &&
         !crew_->reader().read_error(slot).stage.empty();
}

void WorkerPass::count(const Request& request, std::uint32_t slot) {
  if (source_.is_stream()) {
    progress_->took_from(request.stream, crew_->reader().read_state(slot));
  } else {
    progress_->took(request.sequence, request.rows);
  }
}

void WorkerPass::deliver_content(HeldSlot& held, const Request& request, detail::RawBatch& batch) {
  const ipc::SlotContent content = crew_->reader().read(held.slot());
  if (content.kind == ipc::SlotKind::kError) {
    throw_batch_error(*crew_, held.slot(), request, epoch_);
  }
  auto lent = lend(crew_->ring(), held.release(), content.payload_bytes);
  batch = {.meta = content.meta, .payload = lent.payload, .owner = std::move(lent.owner)};
}

}  // namespace forklift::engine
