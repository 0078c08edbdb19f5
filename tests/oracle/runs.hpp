// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "oracle/combination.hpp"

#include <nlohmann/json.hpp>

namespace oracle {

/// Forklift's half of the oracle: what runs a combination, by the name of its dataset. The datasets
/// are those of torch_datasets.py.
using Runs = std::map<std::string, nlohmann::json (*)(const Combination&)>;

[[nodiscard]] Runs number_runs();
[[nodiscard]] Runs sample_runs();
[[nodiscard]] Runs composition_runs();
[[nodiscard]] Runs stream_runs();

/// The outcome of a combination in the words of oracle.py:
///   {"made": error or null, "length": number or error, "warnings": {kind: count},
///    "epochs": [{"begin": error or null, "items": [batch or error], "ended": bool,
///                "states": [hash]}]}
/// where an error is {"error": {"type", "message"}}; without a loader only `made` and `warnings`.
/// Errors: std::invalid_argument for an unknown dataset.
[[nodiscard]] nlohmann::json run_forklift(const Combination& combination);

}  // namespace oracle
