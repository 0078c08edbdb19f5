// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ipc/ring.hpp"
#include "ipc/ring_layout.hpp"

#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/slot_cursor.hpp>

namespace forklift::test {

/// A fetcher that does what it is told.
class ScriptedFetcher : public detail::Fetcher {
 public:
  using Fill = std::function<void(const detail::FillRequest&, detail::SlotCursor&)>;
  explicit ScriptedFetcher(Fill fill) : fill_(std::move(fill)) {}

  void open(const WorkerInfo& /*info*/) override {}
  std::unique_ptr<detail::SampleStream> start(const WorkerInfo& /*info*/) override {
    return nullptr;
  }
  std::optional<std::size_t> fill(const detail::FillRequest& request,
                                  detail::SlotCursor& out) override {
    fill_(request, out);
    return request.indices.size();
  }
  void close() noexcept override {}
  [[nodiscard]] std::unique_ptr<detail::Fetcher> share() const override { return nullptr; }

 private:
  Fill fill_;
};

/// A private ring of `num_slots` slots whose share is `slot_bytes` each.
inline ipc::RingPlan private_plan(std::uint32_t num_slots, std::uint64_t slot_bytes) {
  return {.num_workers = 0,
          .num_slots = num_slots,
          .queue_capacity = 4,
          .max_bytes = slot_bytes * num_slots};
}

/// Writes a request for `indices` into a slot, as the parent does.
inline void write_request(ipc::Ring& ring,
                          std::uint32_t slot,
                          const std::vector<std::uint64_t>& indices) {
  ipc::SlotHeader& header = ring.header(slot);
  header.sequence = 3;
  header.epoch = 4;
  header.seed = 5;
  header.first_ordinal = 6;
  header.flags = ipc::request_flag::kUniqueIndices;
  header.rows_asked = indices.size();
  std::ranges::copy(indices, ring.indices(slot));
}

}  // namespace forklift::test
