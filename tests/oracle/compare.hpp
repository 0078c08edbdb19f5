// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "oracle/combination.hpp"

#include <nlohmann/json.hpp>

namespace oracle {

/// Entries of the tables that were of use.
struct Used {
  std::set<std::string> meanings;
  std::set<std::string> deviations;
};

/// Both outcomes with meanings in the place of words, PyTorch's as Forklift is to have it.
struct Comparison {
  nlohmann::json expected;
  nlohmann::json seen;

  [[nodiscard]] bool agrees() const { return expected == seen; }
  /// Each place where they differ, a line each.
  [[nodiscard]] std::string differences() const;
};

/// Compares what `combination` gave. Batches that come as they are finished are compared as a set.
[[nodiscard]] Comparison compare(const Combination& combination,
                                 nlohmann::json torch,
                                 nlohmann::json forklift,
                                 Used& used);

}  // namespace oracle
