// SPDX-License-Identifier: MIT
#include "ipc/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sys/mem_fd.hpp"
#include "sys/resource_limits.hpp"
#include "sys/rounding.hpp"

#include <forklift/detail/fetcher.hpp>
#include <forklift/detail/resolved_options.hpp>
#include <forklift/error.hpp>

namespace forklift::ipc {
namespace {

using detail::kLeastSlotBytes;
using sys::round_down;
using sys::round_up;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHugePage = sys::kMappingAlignment;
// More than any machine has, and little enough for many rings in one address space. Sums and
// roundings with it cannot wrap around.
constexpr std::uint64_t kMostRingBytes = std::uint64_t{1} << 42U;
// Address space that a limited process keeps at least for its own stacks and heap.
constexpr std::uint64_t kAddressSpaceKept = std::uint64_t{256} << 20U;

// Half of what nobody was promised; but never less than a sixteenth of what is there, so that a
// program with many live loaders is not refused memory that it may never use. Growth of a slot is
// checked again when it happens.
std::uint64_t default_budget(std::uint64_t available) {
  const std::uint64_t promised = sys::Promise::total();
  const std::uint64_t rest = available > promised ? available - promised : 0;
  return std::max(rest / 2, available / 16);
}

std::uint64_t choose_budget(const RingPlan& plan) {
  if (plan.max_bytes.has_value()) {
    return *plan.max_bytes;
  }
  const auto available = sys::available_memory();
  const std::uint64_t bytes = default_budget(available.bytes);
  if (bytes / plan.num_slots < kLeastSlotBytes) {
    throw ResourceError(
        fmt::format("the ring of {} slots", plan.num_slots),
        kLeastSlotBytes * plan.num_slots,
        bytes,
        fmt::format("num_workers, prefetch_factor, max_ring_bytes or the memory limit ({})",
                    available.limited_by));
  }
  return bytes;
}

// The most bytes one extent may have under the limits of this process; two extents make a slot.
std::uint64_t extent_limit(const RingPlan& plan, std::uint64_t slots_begin) {
  std::uint64_t limit = sys::address_space_left();
  std::string knob = "ulimit -v";
  if (limit != sys::kUnlimited) {
    // Half of the rest stays for the process and for other rings.
    limit -= std::min(limit, std::max(limit / 2, kAddressSpaceKept) + kHugePage);
  }
  if (plan.is_shared() && sys::file_size_limit() < limit) {
    limit = sys::file_size_limit();
    knob = "ulimit -f";
  }
  if (limit == sys::kUnlimited) {
    return limit;
  }
  const std::uint64_t extent = round_down(
      (limit - std::min(limit, slots_begin)) / (2 * std::uint64_t{plan.num_slots}), kPage);
  if (extent < kLeastSlotBytes) {
    throw ResourceError(fmt::format("the ring of {} slots", plan.num_slots),
                        2 * kLeastSlotBytes * plan.num_slots + slots_begin,
                        limit,
                        fmt::format("{}, num_workers, prefetch_factor or max_ring_bytes of the "
                                    "loaders that live",
                                    knob));
  }
  return extent;
}

}  // namespace

Ring::Ring(const RingPlan& plan)
    : plan_(plan),
      worker_stride_(sizeof(WorkerControl) + RequestQueue::bytes(plan.queue_capacity) +
                     CompletionRing::bytes(plan.queue_capacity)) {
  const std::uint64_t budget = std::min(choose_budget(plan), kMostRingBytes);
  slots_begin_ = round_up(sizeof(RingControl) + worker_stride_ * plan.num_workers, kHugePage);
  const std::uint64_t limit = extent_limit(plan, slots_begin_);
  slot_budget_ = std::min(budget / plan.num_slots, limit);
  extent_ = round_up(slot_budget_, kHugePage) <= limit ? round_up(slot_budget_, kHugePage)
                                                       : round_down(limit, kPage);
  promise_ = sys::Promise(slot_budget_ * plan.num_slots);

  const std::uint64_t bytes = slots_begin_ + extent_ * 2 * plan.num_slots;
  if (plan.is_shared()) {
    // The descriptor is closed at once: the mapping keeps the memory, and nobody can open or resize
    // it any more.
    mapping_ = sys::Mapping::shared(sys::make_mem_fd("forklift-ring", bytes), bytes);
  } else {
    mapping_ = sys::Mapping::anonymous(bytes);
  }
  std::construct_at(&control());
  for (std::uint32_t slot = 0; slot < plan.num_slots; ++slot) {
    std::construct_at(&header(slot))->layout_version = kLayoutVersion;
  }
  format_queues();
}

void Ring::format_queues() noexcept {
  control().layout_version = kLayoutVersion;
  control().num_workers = plan_.num_workers;
  control().stop.store(0);
  for (std::uint32_t slot = 0; slot < plan_.num_slots; ++slot) {
    header(slot).in_progress.store(detail::kNoSample);
  }
  for (std::uint32_t worker = 0; worker < plan_.num_workers; ++worker) {
    std::byte* area = worker_area(worker);
    std::construct_at(&worker_control(worker));
    RequestQueue::format(area + sizeof(WorkerControl), plan_.queue_capacity);
    CompletionRing::format(area + sizeof(WorkerControl) + RequestQueue::bytes(plan_.queue_capacity),
                           plan_.queue_capacity);
  }
}

std::byte* Ring::worker_area(std::uint32_t worker) const noexcept {
  return mapping_.data() + sizeof(RingControl) + worker_stride_ * worker;
}

WorkerControl& Ring::worker_control(std::uint32_t worker) const noexcept {
  return *reinterpret_cast<WorkerControl*>(worker_area(worker));
}

RequestQueue Ring::request_queue(std::uint32_t worker) const {
  return {worker_area(worker) + sizeof(WorkerControl), plan_.queue_capacity};
}

CompletionRing Ring::completion_ring(std::uint32_t worker) const {
  return {worker_area(worker) + sizeof(WorkerControl) + RequestQueue::bytes(plan_.queue_capacity),
          plan_.queue_capacity};
}

void Ring::populate(std::uint32_t slot, std::uint64_t begin, std::uint64_t end) noexcept {
  begin = round_down(begin, kPage);
  // A refusal costs faults later, nothing else.
  static_cast<void>(mapping_.populate_write(payload_offset(slot) + begin,
                                            std::min(round_up(end, kPage), extent_) - begin));
}

void Ring::give_back(std::uint32_t slot, std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin < end) {
    mapping_.give_back(payload_offset(slot) + begin, std::min(end, extent_) - begin);
  }
}

}  // namespace forklift::ipc
