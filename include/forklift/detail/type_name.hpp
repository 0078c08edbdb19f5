// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <typeinfo>

namespace forklift::detail {

/// The name of a type as it is written in C++.
[[nodiscard]] std::string type_name(const std::type_info& type);

}  // namespace forklift::detail
