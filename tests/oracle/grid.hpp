// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "oracle/combination.hpp"

namespace oracle {

/// The combinations that are compared: the same ones in each run, none of them twice.
///
/// Left out on purpose:
/// - what depends on who was faster in PyTorch: a break with in_order=0 and several workers, and
/// what
///   workers draw with in_order=0; and timeouts that run out;
/// - what kept workers draw after a break, where Forklift takes back the batches that nobody has
///   begun and PyTorch has them made;
/// - kept workers behind a sampler or a start that throws, since PyTorch is asked without workers
///   for the one, and starts again without worker_init_fn for the other;
/// - errors of the first part of a ChainDataset: PyTorch's is a generator, which is over then.
[[nodiscard]] std::vector<Combination> grid();

}  // namespace oracle
