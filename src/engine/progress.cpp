// SPDX-License-Identifier: MIT
#include "engine/progress.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace forklift::engine {

Progress::Progress(const detail::PassSnapshot& before)
    : batches_(before.batches),
      samples_(before.samples),
      by_worker_(before.by_worker),
      streams_(before.streams),
      last_worker_(before.last_worker) {
  for (const std::uint64_t sequence : before.ahead) {
    ahead_.emplace(sequence, 0);  // its indices are counted when it is passed over
  }
}

detail::PassSnapshot Progress::snapshot(std::uint64_t epoch) const {
  detail::PassSnapshot out;
  out.epoch = epoch;
  out.batches = batches_;
  out.samples = samples_;
  for (const auto& [sequence, indices] : ahead_) {
    out.ahead.push_back(sequence);
  }
  out.by_worker = by_worker_;
  out.streams = streams_;
  out.last_worker = last_worker_;
  return out;
}

std::uint32_t Progress::next_worker(std::uint32_t num_workers) const {
  const bool goes_on = std::ranges::any_of(
      streams_, [](const std::optional<std::string>& state) { return state.has_value(); });
  return goes_on ? static_cast<std::uint32_t>((last_worker_ + 1) % num_workers) : 0;
}

void Progress::join_ahead() {
  for (auto next = ahead_.begin(); next != ahead_.end() && next->first == batches_;
       next = ahead_.erase(next)) {
    ++batches_;
    samples_ += next->second;
  }
}

}  // namespace forklift::engine
