// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/sha256.hpp"

#include <nlohmann/json.hpp>

namespace forklift::test {

/// Recorded output of PyTorch. The path is a compile definition of the golden tests.
inline const nlohmann::json& golden() {
  static const nlohmann::json numbers = [] {
    std::ifstream file(FORKLIFT_GOLDEN_JSON);
    return nlohmann::json::parse(file);
  }();
  return numbers;
}

/// The entry `name`. Throws if there is none, or if it is empty, since a test over it would prove
/// nothing.
inline const nlohmann::json& golden(std::string_view name) {
  const nlohmann::json& entry = golden().at(std::string(name));
  if (entry.empty()) {
    throw std::runtime_error("golden entry is empty: " + std::string(name));
  }
  return entry;
}

/// A seed written as text, -2^63 to 2^64-1, modulo 2^64.
inline std::uint64_t parse_seed(const std::string& text) {
  return text.starts_with('-') ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
}

/// Compares a list with what was recorded: in full as "out", or its length, ends and hash.
template <class T>
void expect_list(const nlohmann::json& recorded, const std::vector<T>& values) {
  if (recorded.contains("out")) {
    EXPECT_EQ(values, recorded.at("out").get<std::vector<T>>());
    return;
  }
  const auto first = recorded.at("first8").get<std::vector<T>>();
  const auto last = recorded.at("last8").get<std::vector<T>>();
  ASSERT_EQ(values.size(), recorded.at("count").get<std::size_t>());
  ASSERT_GE(values.size(), first.size() + last.size());
  EXPECT_TRUE(std::equal(first.begin(), first.end(), values.begin()));
  EXPECT_TRUE(std::equal(last.rbegin(), last.rend(), values.rbegin()));
  EXPECT_EQ(sha256_of<std::int64_t>(values), recorded.at("sha256_le_int64").get<std::string>());
}

}  // namespace forklift::test
