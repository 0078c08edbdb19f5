// SPDX-License-Identifier: MIT
#include "engine/in_flight.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ipc/ring_layout.hpp"

namespace forklift::engine {

void InFlight::add(std::uint32_t slot, Request request) {
  if (is_in_order()) {
    by_turn_[static_cast<std::size_t>(request.turn % by_turn_.size())] = slot;
  } else if (request.state == Request::State::kFailed) {
    ready_.push_back(slot);
  }
  by_slot_[slot] = std::move(request);
}

bool InFlight::complete(std::uint32_t worker, const ipc::Completion& completion) {
  if (completion.slot >= by_slot_.size()) {
    return false;
  }
  Request& request = by_slot_[completion.slot];
  if (request.worker != worker || request.ticket != completion.ticket) {
    return false;
  }
  if (request.state == Request::State::kAbandoned) {
    request = {};
    finished_abandoned_.push_back(completion.slot);
    return true;
  }
  if (request.state != Request::State::kPosted) {
    return false;
  }
  if (completion.kind == static_cast<std::uint32_t>(ipc::SlotKind::kExhausted)) {
    if (request.samples == request.rows) {
      return false;  // no stream was asked, so that the batch would be lost
    }
    request.state = Request::State::kExhausted;
    exhausted_.push_back(completion.slot);
    return true;
  }
  request.state = Request::State::kReady;
  if (!is_in_order()) {
    ready_.push_back(completion.slot);
  }
  return true;
}

std::optional<std::uint32_t> InFlight::ready(std::uint64_t turn) const {
  if (!is_in_order()) {
    return ready_.empty() ? std::nullopt : std::optional(ready_.front());
  }
  const std::uint32_t slot = slot_of(turn);
  if (slot == kPassedOver) {
    return std::nullopt;
  }
  const Request& request = by_slot_[slot];
  const bool is_ready =
      request.state == Request::State::kReady || request.state == Request::State::kFailed;
  return is_ready && request.turn == turn ? std::optional(slot) : std::nullopt;
}

Request InFlight::remove(std::uint32_t slot) {
  if (!is_in_order()) {
    std::erase(ready_, slot);
  }
  return std::exchange(by_slot_[slot], Request());
}

std::optional<std::uint32_t> InFlight::take_exhausted(Request& request) {
  if (exhausted_.empty()) {
    return std::nullopt;
  }
  const std::uint32_t slot = exhausted_.back();
  exhausted_.pop_back();
  request = std::exchange(by_slot_[slot], Request());
  if (is_in_order()) {
    by_turn_[static_cast<std::size_t>(request.turn % by_turn_.size())] = kPassedOver;
  }
  return slot;
}

std::vector<std::uint32_t> InFlight::take_finished_abandoned() {
  return std::exchange(finished_abandoned_, {});
}

bool InFlight::has_abandoned() const noexcept {
  return std::ranges::any_of(
      by_slot_, [](const Request& request) { return request.state == Request::State::kAbandoned; });
}

}  // namespace forklift::engine
