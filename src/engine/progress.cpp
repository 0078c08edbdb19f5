// SPDX-License-Identifier: MIT
#include "engine/progress.hpp"

#include <cstdint>

namespace forklift::engine {

Progress::Progress(const detail::PassSnapshot& before)
    : batches_(before.batches),
      samples_(before.samples),
      by_worker_(before.by_worker) {
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
  return out;
}

void Progress::join_ahead() {
  for (auto next = ahead_.begin(); next != ahead_.end() && next->first == batches_;
       next = ahead_.erase(next)) {
    ++batches_;
    samples_ += next->second;
  }
}

}  // namespace forklift::engine
