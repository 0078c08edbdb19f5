// SPDX-License-Identifier: MIT
#include "engine/batch_error.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "engine/loader_state.hpp"
#include "ipc/error_record.hpp"
#include "ipc/slot_reader.hpp"

#include <forklift/error.hpp>

namespace forklift::engine {
namespace {

[[noreturn]] void throw_nested(WorkerError error, const std::exception_ptr& original) {
  if (original == nullptr) {
    throw error;
  }
  try {
    std::rethrow_exception(original);
  } catch (...) {
    std::throw_with_nested(std::move(error));
  }
}

}  // namespace

void throw_batch_error(Crew& crew,
                       std::uint32_t slot,
                       const Request& request,
                       std::uint64_t epoch) {
  ipc::ErrorRecord record = crew.reader().read_error(slot);
  if (record.is_resource_error) {
    throw of_batch(
        ResourceError(
            std::move(record.object), record.needed, record.available, std::move(record.knob)),
        request.sequence);
  }
  WorkerError::Record out;
  out.type = std::move(record.type);
  out.message = std::move(record.message);
  out.stage = std::move(record.stage);
  out.kind = crew.worker_kind();
  out.worker_id = request.worker;
  out.batch_index = static_cast<std::size_t>(request.sequence);
  out.epoch = static_cast<std::size_t>(epoch);
  if (record.position.has_value()) {
    const auto indices = crew.reader().read_indices(slot, request.rows);
    if (*record.position < request.samples) {
      out.position = static_cast<std::size_t>(*record.position);
    }
    if (*record.position < indices.size()) {
      out.dataset_index = indices[*out.position];
    }
  }
  throw_nested(WorkerError(std::move(out)), crew.take_exception(slot));
}

}  // namespace forklift::engine
