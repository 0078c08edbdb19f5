// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace bench {

/// What the numbers depend on: processor, cores that may be used, memory, kernel, huge pages,
/// compiler. Nothing that names the machine or its user.
[[nodiscard]] nlohmann::ordered_json machine_json();

/// The same in one line.
[[nodiscard]] std::string machine_text(const nlohmann::ordered_json& machine);

/// Bytes that can be had without swapping, as the kernel estimates it; 0 when it does not say.
[[nodiscard]] std::size_t available_memory();

}  // namespace bench
