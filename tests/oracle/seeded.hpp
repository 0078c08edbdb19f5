// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "oracle/combination.hpp"

#include <forklift/generator.hpp>
#include <nlohmann/json.hpp>

namespace oracle {

/// The generators of one combination, seeded, and with them the default one.
struct Seeded {
  explicit Seeded(const Combination& combination);

  /// Hashes of the states, the default generator's first.
  [[nodiscard]] nlohmann::json states() const;

  std::optional<forklift::Generator> loader;
  std::optional<forklift::Generator> sampler;
  forklift::Generator split;
};

}  // namespace oracle
