// SPDX-License-Identifier: MIT
#include "engine/progress.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace forklift::engine {

Progress::Progress(detail::PassSnapshot before)
    : before_(std::move(before)),
      batches_(before_.batches),
      samples_(before_.samples),
      missing_(before_.missing.begin(), before_.missing.end()),
      batches_before_(missing_.empty() ? batches_ : before_.batches_before),
      samples_before_(missing_.empty() ? samples_ : before_.samples_before),
      by_stream_(before_.by_stream),
      streams_(before_.streams),
      last_stream_(before_.last_stream) {}

detail::PassSnapshot Progress::snapshot(std::uint64_t epoch) const {
  detail::PassSnapshot out;
  out.epoch = epoch;
  out.batches = batches_;
  out.samples = samples_;
  out.missing.assign(missing_.begin(), missing_.end());
  out.batches_before = batches_before_;
  out.samples_before = samples_before_;
  out.by_stream = by_stream_;
  out.streams = streams_;
  out.last_stream = last_stream_;
  return out;
}

std::size_t Progress::next_stream() const {
  const bool goes_on = std::ranges::any_of(
      streams_, [](const std::optional<std::string>& state) { return state.has_value(); });
  return goes_on ? static_cast<std::size_t>((last_stream_ + 1) % streams_.size()) : 0;
}

void Progress::took_out_of_turn(std::uint64_t sequence) {
  if (sequence < batches_) {
    missing_.erase(sequence);
    return;
  }
  for (; batches_ < sequence; ++batches_) {
    missing_.insert(missing_.end(), batches_);
  }
  ++batches_;
}

}  // namespace forklift::engine
