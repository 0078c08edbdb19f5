// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/state_dict.hpp>
#include <forklift/worker_info.hpp>

namespace forklift::test_support {

/// The rest of the pass and the one after it are what they are without the stop. A pass has at
/// least `interrupt` batches.
template <class Make>
void expect_no_seam(const Make& make, std::size_t interrupt) {
  auto whole = make();
  const Values all = take(whole);
  const Values next = take(whole);
  auto saved = make();
  const Values begun = take(saved, interrupt);
  const std::string state = saved.state_dict().to_json();
  auto loader = make();
  loader.load_state_dict(StateDict::from_json(state));
  EXPECT_EQ(joined(begun, take(loader)), all);
  EXPECT_EQ(take(loader), next);
}

/// A stream whose place can be kept; counts how often it is started.
class Kept {
 public:
  Kept(std::vector<std::size_t> sizes, const SharedCount& starts)
      : sizes_(std::move(sizes)),
        starts_(&starts) {}
  class Stream {
   public:
    Stream(std::size_t worker, std::size_t size) : worker_(worker), size_(size) {}
    std::optional<std::int64_t> next() {
      return next_ < size_ ? std::optional(Sharded::hundreds(worker_, next_++)) : std::nullopt;
    }
    // Grows with what was read, as a state may.
    [[nodiscard]] std::string state() const { return std::string(next_, 'x'); }
    void restore(const std::string& state) { next_ = state.size(); }

   private:
    std::size_t worker_;
    std::size_t size_;
    std::size_t next_ = 0;
  };
  [[nodiscard]] Stream iterate(const WorkerInfo& worker) const {
    ++starts_->value();
    return {worker.id, sizes_.at(worker.id)};
  }

 private:
  std::vector<std::size_t> sizes_;
  const SharedCount* starts_;
};

}  // namespace forklift::test_support
