// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include <nlohmann/json.hpp>

namespace oracle {

/// Whose words an error is told in.
enum class Side { kForklift, kTorch };

/// What the errors of an outcome mean, so that those of both sides can be compared: each
/// {"error": {"type", "message"}} becomes {"error": meaning}. One that the table does not know gets
/// a text that no error of the other side gets. Adds the names of the meanings found to `used`.
void put_meanings(Side side, nlohmann::json& outcome, std::set<std::string>& used);

/// Every meaning of the table.
[[nodiscard]] std::set<std::string> known_meanings();

}  // namespace oracle
