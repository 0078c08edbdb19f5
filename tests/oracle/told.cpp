// SPDX-License-Identifier: MIT
#include "oracle/told.hpp"

#include <array>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <forklift/error.hpp>

namespace oracle {

nlohmann::json told(const std::string& type, const std::string& message) {
  return {{"error", {{"type", type}, {"message", message}}}};
}

nlohmann::json told_current() {
  try {
    throw;
  } catch (const forklift::WorkerError& error) {
    return told("WorkerError(" + error.original_type() + ")", error.original_message());
  } catch (const forklift::InvalidOptions& error) {
    return told("InvalidOptions", error.what());
  } catch (const forklift::StateError& error) {
    return told("StateError", error.what());
  } catch (const forklift::Error& error) {
    return told("Error", error.what());
  } catch (const std::exception& error) {
    return told("std::exception", error.what());
  }
}

void count_warning(std::string_view text, nlohmann::json& warnings) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kKinds{
      {{"excessive worker creation", "workers"},
       {"was reported to be", "length"},
       {"Length of split at index", "split"}}};
  std::string kind(text);
  for (const auto& [words, name] : kKinds) {
    if (text.find(words) != std::string_view::npos) {
      kind = name;
    }
  }
  warnings[kind] = warnings.value(kind, 0) + 1;
}

}  // namespace oracle
