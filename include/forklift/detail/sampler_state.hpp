// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <forklift/generator.hpp>

namespace forklift::detail {

/// The state of a sampler that has nothing but a generator: its state as text, empty without one.
[[nodiscard]] std::string state_text(const std::optional<Generator>& generator);
/// Errors: StateError if the state is of a sampler with a generator and this one is without, or
/// the other way round, and for what is no such state.
void load_state_text(std::optional<Generator>& generator, const std::string& state);

}  // namespace forklift::detail
