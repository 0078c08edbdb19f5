// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <forklift/generator.hpp>

namespace forklift::detail {

/// The state of a sampler that has nothing but a generator: its state as text, empty without one.
[[nodiscard]] std::string state_text(const std::optional<Generator>& generator);
/// Errors: StateError if the state is of a sampler with a generator and this one is without, or
/// the other way round, and for what is no such state.
void load_state_text(std::optional<Generator>& generator, const std::string& state);

/// The state of a sampler whose order follows from numbers: `seed` and `num_replicas` must be the
/// same in the sampler that goes on, `epoch` is taken over.
struct EpochState {
  std::uint64_t seed = 0;
  std::uint64_t num_replicas = 0;
  std::uint64_t epoch = 0;
};
[[nodiscard]] std::string to_text(const EpochState& state);
/// The epoch of `text`. Errors: StateError that names both values where seed or num_replicas are
/// not those of `own`, and for what is no such state.
[[nodiscard]] std::uint64_t epoch_of(const std::string& text, const EpochState& own);

}  // namespace forklift::detail
