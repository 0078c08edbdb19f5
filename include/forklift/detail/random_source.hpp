// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

namespace forklift {

class Generator;

namespace detail {

/// A 63-bit draw of the process-wide default generator, under its lock.
[[nodiscard]] std::uint64_t default_random63();
/// RandomSource::with_generator for the process-wide default generator.
void with_default_generator(const std::function<void(Generator&)>& draw);

/// Where a loader or sampler without a generator draws from. The libtorch adapter passes functions
/// over libtorch's default generator instead.
struct RandomSource {
  /// A 63-bit draw (base seed, sampler seed).
  std::uint64_t (*random63)() = &default_random63;
  /// Calls `draw` with a generator that stands where the source stands, and leaves the source where
  /// `draw` left it. The source is locked meanwhile: `draw` must not draw from it in another way.
  /// Errors: whatever `draw` throws; the source has not moved then.
  void (*with_generator)(const std::function<void(Generator&)>& draw) = &with_default_generator;
};

}  // namespace detail
}  // namespace forklift
