// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <forklift/generator.hpp>

namespace forklift::detail {

/// A 63-bit draw of the process-wide default generator, under its lock.
[[nodiscard]] std::uint64_t default_random63();
/// RandomSource::lend for the process-wide default generator.
void with_default_generator(const std::function<void(Generator&)>& draw);

/// Where a loader or sampler without a generator draws from. The libtorch adapter passes functions
/// over libtorch's default generator instead; a pass that was begun in another loader draws from a
/// copy of what that one drew from.
struct RandomSource {
  std::uint64_t (*draw63)() = &default_random63;
  void (*lend)(const std::function<void(Generator&)>& draw) = &with_default_generator;
  std::shared_ptr<Generator> copy = nullptr;  ///< in place of both

  /// A 63-bit draw (base seed, sampler seed).
  [[nodiscard]] std::uint64_t random63() const {
    return copy != nullptr ? copy->random63() : draw63();
  }
  /// Calls `draw` with a generator that stands where the source stands, and leaves the source where
  /// `draw` left it. The source is locked meanwhile: `draw` must not draw from it in another way.
  /// Errors: whatever `draw` throws; the source has not moved then.
  void with_generator(const std::function<void(Generator&)>& draw) const {
    if (copy != nullptr) {
      draw(*copy);
    } else {
      lend(draw);
    }
  }
};

/// Calls `draw` with `given` if there is one, else with the generator of `source`.
void draw_from(std::optional<Generator>& given,
               const RandomSource& source,
               const std::function<void(Generator&)>& draw);

}  // namespace forklift::detail
