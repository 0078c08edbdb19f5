// SPDX-License-Identifier: MIT
#include "oracle/combination.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace oracle {
namespace {

constexpr std::string_view kNotGiven = "none";

std::string text(const std::string& value) {
  return value;
}
std::string text(std::int64_t value) {
  return std::to_string(value);
}
std::string text(const Combination::Number& value) {
  return value.has_value() ? std::to_string(*value) : std::string(kNotGiven);
}

void read(std::string_view value, std::string& field) {
  field = value;
}
void read(std::string_view value, std::int64_t& field) {
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), field);
  if (code != std::errc() || end != value.data() + value.size()) {
    throw std::invalid_argument("'" + std::string(value) + "' is no number");
  }
}
void read(std::string_view value, Combination::Number& field) {
  if (value == kNotGiven) {
    field.reset();
  } else {
    read(value, field.emplace());
  }
}

nlohmann::json json_of(const std::string& value) {
  return value;
}
nlohmann::json json_of(std::int64_t value) {
  return value;
}
nlohmann::json json_of(const Combination::Number& value) {
  return value.has_value() ? nlohmann::json(*value) : nlohmann::json();
}

void read_word(std::string_view word, Combination& combination) {
  const auto middle = word.find('=');
  bool found = false;
  for_each_field(combination, [&](std::string_view name, auto& field) {
    if (middle != std::string_view::npos && name == word.substr(0, middle)) {
      read(word.substr(middle + 1), field);
      found = true;
    }
  });
  if (!found) {
    throw std::invalid_argument("'" + std::string(word) + "' is no name=value of a combination");
  }
}

}  // namespace

std::string to_line(const Combination& combination) {
  std::vector<std::string> defaults;
  const Combination unchanged;
  for_each_field(unchanged, [&](std::string_view /*name*/, const auto& field) {
    defaults.push_back(text(field));
  });
  std::string line;
  auto usual = defaults.begin();
  for_each_field(combination, [&](std::string_view name, const auto& field) {
    if (const std::string value = text(field); value != *usual++) {
      line += (line.empty() ? "" : " ") + std::string(name) + '=' + value;
    }
  });
  return line;
}

Combination from_line(std::string_view line) {
  Combination combination;
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    read_word(word, combination);
  }
  return combination;
}

nlohmann::json to_json(const Combination& combination) {
  nlohmann::json out;
  for_each_field(combination,
                 [&](const char* name, const auto& field) { out[name] = json_of(field); });
  return out;
}

std::size_t most_items(const std::string& take) {
  constexpr std::size_t kAll = 200;
  return take == "all" ? kAll : std::stoul(take);
}

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  std::istringstream text{std::string(list)};
  for (std::string part; std::getline(text, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

}  // namespace oracle
