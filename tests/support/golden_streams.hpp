// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "support/golden.hpp"

#include <forklift/generator.hpp>

namespace forklift::test {

/// The generator that a case hands to the sampler, if it does, and the one whose stream it records.
struct Streams {
  std::optional<Generator> given;
  Generator recorded;
};

/// Seeds what the case seeded: a generator of its own, or the default one.
inline Streams streams_of(const nlohmann::json& recorded) {
  const auto seed = recorded.at("seed").get<std::uint64_t>();
  if (recorded.value("generator", "explicit") == "explicit") {
    const Generator generator(seed);
    return {generator, generator};
  }
  manual_seed(seed);
  return {std::nullopt, default_generator()};
}

}  // namespace forklift::test
