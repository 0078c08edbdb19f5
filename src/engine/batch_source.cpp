// SPDX-License-Identifier: MIT
#include "engine/batch_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

#include "ipc/ring_layout.hpp"
#include "sys/caught.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {
namespace {

std::uint16_t flags_of(const detail::ResolvedOptions& options) {
  namespace flag = ipc::request_flag;
  unsigned flags = 0;
  if (options.is_iterable) {
    flags |= flag::kStream;
    flags |= options.drop_last ? unsigned{flag::kDropLast} : 0U;
  } else if (options.batches.indices_are_unique()) {
    flags |= flag::kUniqueIndices;
  }
  if (options.is_single) {
    flags |= flag::kSingle;
  }
  return static_cast<std::uint16_t>(flags);
}

// Indices up to the first batch that is missing; empty where batches have no one size.
std::optional<std::size_t> samples_to_skip(const detail::PassSnapshot& taken,
                                           std::optional<std::size_t> batch_size) {
  if (taken.missing.empty()) {
    return static_cast<std::size_t>(taken.samples);
  }
  if (!batch_size.has_value()) {
    return std::nullopt;
  }
  // Those before it were full, since it comes behind them.
  std::size_t samples = 0;
  if (__builtin_mul_overflow(taken.missing.front() - taken.batches_before, *batch_size, &samples) ||
      __builtin_add_overflow(samples, taken.samples_before, &samples)) {
    samples = SIZE_MAX;  // more than any sampler gives
  }
  return samples;
}

}  // namespace

BatchSource::BatchSource(const LoaderState& loader, const PassStart& start)
    : start_(start),
      flags_(flags_of(loader.plan.options)) {
  const detail::ResolvedOptions& options = loader.plan.options;
  if (options.is_iterable) {
    stream_rows_ = options.batch_size.value_or(1);
    if (!start.progress->before().streams.empty()) {
      flags_ |= ipc::request_flag::kGoesOn;
    }
  } else {
    cursor_ = options.batches.iterate(start.source);
    skip_taken(options.batches.batch_size());
  }
}

// What was taken before in another loader, up to the first batch that is missing. An exception is
// due where the next batch would be.
void BatchSource::skip_taken(std::optional<std::size_t> batch_size) {
  const detail::PassSnapshot& taken = start_.progress->before();
  if (taken.batches == 0) {
    return;
  }
  try {
    num_batches_ = taken.missing.empty() ? taken.batches : taken.missing.front();
    const auto samples = samples_to_skip(taken, batch_size);
    num_samples_ = cursor_->skip(static_cast<std::size_t>(num_batches_), samples);
    if (samples.has_value() && num_samples_ != *samples) {
      throw StateError(fmt::format(
          "the state stopped after {} samples, but this sampler gives {}", *samples, num_samples_));
    }
  } catch (...) {
    error_ = sys::caught();
    is_cut_short_ = true;
    cursor_.reset();
  }
}

void BatchSource::check_read_again(std::span<const std::uint64_t> missing) {
  for (std::size_t stream = 0; stream < missing.size() && error_ == nullptr; ++stream) {
    if (missing[stream] > 0) {
      const std::uint64_t taken = start_.progress->before().by_stream.at(stream);
      error_ = std::make_exception_ptr(
          StateError(fmt::format("the state stopped after {} batches of the stream of worker {}, "
                                 "but it gives {}: the dataset may have changed",
                                 taken,
                                 stream,
                                 taken - missing[stream])));
      is_cut_short_ = true;
    }
  }
}

// Between batches that are missing there are some that overtook them.
bool BatchSource::was_taken(std::uint64_t sequence) const {
  const detail::PassSnapshot& taken = start_.progress->before();
  return sequence < taken.batches && !std::ranges::binary_search(taken.missing, sequence);
}

bool BatchSource::next() {
  if (is_stream()) {
    ++num_batches_;
    return true;
  }
  if (cursor_ == nullptr) {
    return false;
  }
  try {
    while (cursor_->next(indices_)) {
      ++num_batches_;
      num_samples_ += indices_.size();
      if (!was_taken(sequence())) {
        return true;
      }
    }
  } catch (...) {
    error_ = sys::caught();
    is_cut_short_ = true;
  }
  cursor_.reset();
  return false;
}

std::exception_ptr BatchSource::write(ipc::Ring& ring,
                                      std::uint32_t slot,
                                      std::uint32_t stream) const {
  const std::uint64_t needed = ipc::meta_offset(rows()) + ipc::kErrorRoom;
  if (rows() > ring.slot_budget() / sizeof(std::uint64_t) || needed > ring.slot_budget()) {
    return std::make_exception_ptr(of_batch(
        ResourceError(
            fmt::format("a list of {} indices", rows()),
            needed,
            ring.slot_budget(),
            "max_ring_bytes (each slot of the ring has an equal share of it) or batch_size"),
        sequence()));
  }
  ipc::SlotHeader& header = ring.header(slot);
  header.flags = flags_;
  header.pass = start_.pass;
  header.sequence = sequence();
  header.stream = stream;
  header.epoch = start_.epoch;
  header.seed = start_.sample_seed;
  header.first_ordinal = num_samples_ - rows();
  header.rows_asked = rows();
  header.stream_rows = stream_rows_;
  std::ranges::copy(indices_, ring.indices(slot));
  return nullptr;
}

}  // namespace forklift::engine
