// SPDX-License-Identifier: MIT
#include "layering/file_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>

namespace layering {
namespace {

struct Layer {
  std::string_view name;
  std::array<std::string_view, 7> may_include;
};

// A layer may always include itself and the public headers.
constexpr std::array<Layer, 6> kLayers{{
    {"sys", {}},
    {"ipc", {"sys"}},
    {"worker", {"ipc", "sys"}},
    {"device", {}},
    {"stage", {"device", "ipc"}},
    {"engine", {"sys", "ipc", "worker", "device", "stage"}},
}};

constexpr std::array<std::string_view, 3> kTorch{"torch/", "ATen/", "c10/"};
constexpr std::array<std::string_view, 6> kCuda{
    "cuda.h", "cuda_runtime", "cuda/", "driver_types.h", "nvtx3/", "cuda_"};
constexpr std::array<std::string_view, 5> kPrivateLibraries{
    "fmt/", "zlib.h", "Random123/", "nlohmann/", "CLI/"};

struct Include {
  std::string_view target;
  bool quoted;
};

std::string_view without_spaces(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

// What follows the # of a directive, without spaces; nothing for other lines.
std::optional<std::string_view> directive_of(std::string_view line) {
  line = without_spaces(line);
  if (!line.starts_with('#')) {
    return std::nullopt;
  }
  return without_spaces(line.substr(1));
}

std::optional<Include> include_of(std::string_view line) {
  const auto directive = directive_of(line);
  if (!directive || !directive->starts_with("include")) {
    return std::nullopt;
  }
  const std::string_view rest =
      without_spaces(directive->substr(std::string_view("include").size()));
  const auto end = rest.find_first_of(">\"", 1);
  if (rest.empty() || end == std::string_view::npos) {
    return std::nullopt;
  }
  return Include{rest.substr(1, end - 1), rest.front() == '"'};
}

bool starts_with_any(std::string_view text, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [text](auto beginning) { return text.starts_with(beginning); });
}

const Layer* layer_of(std::string_view path) {
  const auto* found = std::ranges::find_if(kLayers, [path](const Layer& layer) {
    return path.starts_with(fmt::format("{}/", layer.name));
  });
  return found == kLayers.end() ? nullptr : found;
}

std::string fault_of_own(std::string_view path, std::string_view target) {
  if (path.starts_with("include/")) {
    return fmt::format("a public header includes \"{}\" of src", target);
  }
  const Layer* to = layer_of(target);
  if (to == nullptr) {
    return fmt::format(
        "\"{}\" is in no layer of src; public headers are included as <forklift/...>", target);
  }
  const Layer* from = layer_of(path.substr(std::string_view("src/").size()));
  // Files directly in src/ implement the public headers by whatever layer they need.
  if (from == nullptr || from == to || std::ranges::count(from->may_include, to->name) > 0) {
    return {};
  }
  return fmt::format("{} may not include {} (\"{}\")", from->name, to->name, target);
}

std::string fault_of_foreign(std::string_view path, std::string_view target) {
  const bool is_public = path.starts_with("include/");
  const bool is_adapter =
      path == "include/forklift/torch.hpp" || path.starts_with("include/forklift/torch/");
  if (starts_with_any(target, kTorch) && !is_adapter) {
    return fmt::format("<{}>: only the libtorch adapter includes libtorch", target);
  }
  if (starts_with_any(target, kCuda) && path != "src/device/cuda_runtime.cpp") {
    return fmt::format("<{}>: only src/device/cuda_runtime.cpp includes CUDA", target);
  }
  if (starts_with_any(target, kPrivateLibraries) && is_public) {
    return fmt::format("<{}>: users need not have this library, so no public header includes it",
                       target);
  }
  const bool is_torch_header =
      target == "forklift/torch.hpp" || target.starts_with("forklift/torch/");
  if (is_torch_header && !is_adapter) {
    return fmt::format("<{}>: only the libtorch adapter includes itself", target);
  }
  if (target.starts_with("forklift/") &&
      layer_of(target.substr(std::string_view("forklift/").size()))) {
    return fmt::format("<{}> is not a public header", target);
  }
  return {};
}

template <typename Visit>
int for_each_line(std::string_view text, Visit visit) {
  int number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    visit(++number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return number;
}

}  // namespace

std::vector<std::string> include_faults(std::string_view path, std::string_view text) {
  std::vector<std::string> faults;
  for_each_line(text, [&](int number, std::string_view line) {
    const auto include = include_of(line);
    if (!include) {
      return;
    }
    const std::string fault = include->quoted ? fault_of_own(path, include->target)
                                              : fault_of_foreign(path, include->target);
    if (!fault.empty()) {
      faults.push_back(fmt::format("{}:{}: {}", path, number, fault));
    }
  });
  return faults;
}

std::vector<std::string> form_faults(std::string_view path, std::string_view text) {
  std::vector<std::string> faults;
  bool has_pragma_once = false;
  const int lines = for_each_line(text, [&](int number, std::string_view line) {
    if (number == 1 && line != "// SPDX-License-Identifier: MIT") {
      faults.push_back(fmt::format("{}:1: the first line is not the licence line", path));
    }
    if (line.starts_with("namespace forklift::torch ")) {
      faults.push_back(
          fmt::format("{}:{}: namespace forklift::torch would hide ::torch", path, number));
    }
    const auto directive = directive_of(line);
    if (!directive || directive->starts_with("include")) {
      return;
    }
    if (*directive == "pragma once") {
      has_pragma_once = true;
    } else if (!directive->starts_with("pragma")) {
      faults.push_back(
          fmt::format("{}:{}: no macros and no conditional code (#{})", path, number, *directive));
    }
  });
  if (path.ends_with(".hpp") && !has_pragma_once) {
    faults.push_back(fmt::format("{}: #pragma once is missing", path));
  }
  if (lines > kMaxLines) {
    faults.push_back(fmt::format("{}: {} lines, at most {} are allowed", path, lines, kMaxLines));
  }
  return faults;
}

}  // namespace layering
