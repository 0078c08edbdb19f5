// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <optional>
#include <string>

#include <forklift/detail/generator_blob.hpp>
#include <forklift/detail/sampler_state.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {

std::string state_text(const std::optional<Generator>& generator) {
  return generator.has_value() ? to_text(generator->get_state()) : std::string();
}

void load_state_text(std::optional<Generator>& generator, const std::string& state) {
  if (generator.has_value() != !state.empty()) {
    throw StateError(fmt::format("the state is of a sampler {} a generator, and this one has {}",
                                 state.empty() ? "without" : "with",
                                 generator.has_value() ? "one" : "none"));
  }
  if (generator.has_value()) {
    try {
      generator->set_state(to_blob(state, "the state of the sampler"));
    } catch (const InvalidOptions& error) {
      throw StateError(fmt::format("the state of the sampler is none: {}", error.what()));
    }
  }
}

}  // namespace forklift::detail
