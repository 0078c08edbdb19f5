// SPDX-License-Identifier: MIT
#include "engine/batch_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>

#include "ipc/ring_layout.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {

BatchSource::BatchSource(const LoaderState& loader, const PassStart& start)
    : cursor_(loader.plan.options.batches.iterate(loader.plan.hooks.random)),
      start_(start),
      unique_indices_(loader.plan.options.batches.indices_are_unique()) {}

bool BatchSource::next() {
  if (cursor_ == nullptr) {
    return false;
  }
  try {
    if (cursor_->next(indices_)) {
      ++num_batches_;
      num_samples_ += indices_.size();
      return true;
    }
  } catch (...) {
    error_ = std::current_exception();
  }
  cursor_.reset();
  return false;
}

std::exception_ptr BatchSource::write(ipc::Ring& ring, std::uint32_t slot) const {
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
  header.sequence = sequence();
  header.epoch = start_.epoch;
  header.seed = start_.sample_seed;
  header.first_ordinal = num_samples_ - rows();
  header.unique_indices = unique_indices_ ? 1 : 0;
  header.rows_asked = rows();
  std::ranges::copy(indices_, ring.indices(slot));
  return nullptr;
}

}  // namespace forklift::engine
