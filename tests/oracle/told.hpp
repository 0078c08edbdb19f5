// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace oracle {

/// An error in an outcome.
[[nodiscard]] nlohmann::json told(const std::string& type, const std::string& message);
/// The exception that is being handled. A WorkerError is told by the exception inside.
[[nodiscard]] nlohmann::json told_current();

/// Adds a warning to the numbers by kind; one of an unknown kind is its own name.
void count_warning(std::string_view text, nlohmann::json& warnings);

}  // namespace oracle
