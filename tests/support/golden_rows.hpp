// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace forklift::test {

/// An entry of golden.json, by its name, and the comparison with Forklift. An entry may have more
/// than one.
struct Compared {
  std::string_view name;
  void (*compare)(const nlohmann::json&);
};

/// An entry that means nothing in C++, and why.
struct LeftOut {
  std::string_view name;
  std::string_view reason;
};

/// Runs the comparisons of each entry of the list `list`. Each is compared or left out with a
/// reason, not both, and whatever the tables name is there.
inline void compare_entries(std::string_view list,
                            std::span<const Compared> compared,
                            std::span<const LeftOut> left_out) {
  const auto has_entry = [&](std::string_view name) {
    return std::ranges::any_of(
        golden(list), [&](const nlohmann::json& entry) { return entry.at("name") == name; });
  };
  for (const Compared& row : compared) {
    EXPECT_TRUE(has_entry(row.name)) << "no entry " << row.name;
  }
  for (const LeftOut& row : left_out) {
    EXPECT_TRUE(has_entry(row.name) && !row.reason.empty()) << "no entry or reason: " << row.name;
  }
  for (const nlohmann::json& entry : golden(list)) {
    const auto name = entry.at("name").get<std::string>();
    SCOPED_TRACE(name);
    std::size_t times = 0;
    for (const Compared& row : compared) {
      if (row.name == name) {
        row.compare(entry);
        ++times;
      }
    }
    EXPECT_EQ(times == 0, std::ranges::count(left_out, name, &LeftOut::name) == 1)
        << "compared " << times << " times";
  }
}

}  // namespace forklift::test
