// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <forklift/detail/fork_hooks.hpp>
#include <forklift/detail/random_source.hpp>

namespace forklift::detail {

/// What the library of a foreign tensor type wants: the core calls it and knows nothing of it.
struct LibraryHooks {
  ForkHooks fork;
  /// The default generator of loaders over such samples.
  RandomSource random;
  /// In a worker, before user code: seeds the library's own generator. May be null.
  void (*seed_worker)(std::uint64_t seed) = nullptr;
};

}  // namespace forklift::detail
