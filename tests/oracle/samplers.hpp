// SPDX-License-Identifier: MIT
#pragma once

#include "oracle/combination.hpp"
#include "oracle/seeded.hpp"

#include <forklift/any_sampler.hpp>
#include <forklift/batch_sampler.hpp>

namespace oracle {

/// The samplers that a combination names, as in torch_samplers.py; empty ones where it names none.
/// Errors: std::out_of_range for an unknown name; whatever the sampler throws when it is made.
[[nodiscard]] forklift::AnySampler make_sampler(const Combination& combination,
                                                const Seeded& seeded);
[[nodiscard]] forklift::AnyBatchSampler make_batch_sampler(const Combination& combination,
                                                           const Seeded& seeded);

}  // namespace oracle
