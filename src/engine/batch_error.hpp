// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/crew.hpp"
#include "engine/in_flight.hpp"

namespace forklift::engine {

/// Throws what a worker left in `slot` in place of the batch that `request` asked for: a
/// WorkerError, with the exception of a worker thread nested in it, or the ResourceError of a batch
/// that did not fit.
[[noreturn]] void throw_batch_error(Crew& crew,
                                    std::uint32_t slot,
                                    const Request& request,
                                    std::uint64_t epoch);

}  // namespace forklift::engine
