// SPDX-License-Identifier: MIT
#include "oracle/compare.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/deviations.hpp"
#include "oracle/meanings.hpp"

namespace oracle {
namespace {

void sort_items(nlohmann::json& outcome) {
  if (outcome.contains("epochs")) {
    for (auto& epoch : outcome["epochs"]) {
      std::sort(epoch["items"].begin(), epoch["items"].end());
    }
  }
}

std::string text_at(const nlohmann::json& outcome, const std::string& path) {
  const nlohmann::json::json_pointer pointer(path);
  return outcome.contains(pointer) ? outcome.at(pointer).dump() : "(nothing)";
}

}  // namespace

std::string Comparison::differences() const {
  std::string text;
  for (const auto& change : nlohmann::json::diff(expected, seen)) {
    const auto path = change.at("path").get<std::string>();
    text += "    " + path + ": expected " + text_at(expected, path) + ", Forklift has " +
            text_at(seen, path) + '\n';
  }
  return text;
}

Comparison compare(const Combination& combination,
                   nlohmann::json torch,
                   nlohmann::json forklift,
                   Used& used) {
  Comparison out{.expected = std::move(torch), .seen = std::move(forklift)};
  put_meanings(Side::kTorch, out.expected, used.meanings);
  put_meanings(Side::kForklift, out.seen, used.meanings);
  for (const Deviation& deviation : deviations()) {
    if (deviation.rewrite(combination, out.expected, out.seen)) {
      used.deviations.insert(deviation.name);
    }
  }
  if (combination.in_order == 0 && combination.workers > 1) {
    sort_items(out.expected);
    sort_items(out.seen);
  }
  return out;
}

}  // namespace oracle
