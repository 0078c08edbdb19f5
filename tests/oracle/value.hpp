// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <forklift/tensor.hpp>
#include <nlohmann/json.hpp>

/// A batch as JSON, in the words of oracle.py: tensors say their dtype and shape, tuples and lists
/// are arrays.
namespace oracle {

[[nodiscard]] nlohmann::json value_of(const forklift::Tensor& tensor);

[[nodiscard]] inline nlohmann::json value_of(const std::string& text) {
  return text;
}

template <class... T>
[[nodiscard]] nlohmann::json value_of(const std::tuple<T...>& parts);
template <class T>
[[nodiscard]] nlohmann::json value_of(const std::map<std::string, T>& parts);

template <class T>
[[nodiscard]] nlohmann::json value_of(const std::vector<T>& parts) {
  auto out = nlohmann::json::array();
  for (const T& part : parts) {
    out.push_back(value_of(part));
  }
  return out;
}

template <class... T>
nlohmann::json value_of(const std::tuple<T...>& parts) {
  auto out = nlohmann::json::array();
  std::apply([&](const T&... part) { (out.push_back(value_of(part)), ...); }, parts);
  return out;
}

template <class T>
nlohmann::json value_of(const std::map<std::string, T>& parts) {
  auto out = nlohmann::json::object();
  for (const auto& [key, part] : parts) {
    out[key] = value_of(part);
  }
  return {{"map", std::move(out)}};
}

}  // namespace oracle
