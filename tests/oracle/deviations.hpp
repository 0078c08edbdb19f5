// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "oracle/combination.hpp"

#include <nlohmann/json.hpp>

namespace oracle {

/// A difference that is meant, as the README's table tells it. Outcomes are those of
/// run_forklift(), with the meanings of errors in the place of their words.
struct Deviation {
  const char* name;
  const char* reason;
  /// Turns PyTorch's outcome into the one that Forklift is to have; false where it does not apply.
  bool (*rewrite)(const Combination& combination,
                  nlohmann::json& expected,
                  const nlohmann::json& seen);
};

/// All of them, in the order in which they are applied.
[[nodiscard]] std::span<const Deviation> deviations();

/// What PyTorch is asked: mostly the combination itself.
[[nodiscard]] Combination for_torch(const Combination& combination);

}  // namespace oracle
