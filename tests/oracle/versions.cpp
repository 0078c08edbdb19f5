// SPDX-License-Identifier: MIT
#include "oracle/versions.hpp"

#include <array>
#include <string_view>

namespace oracle {
namespace {

/// What 1.13.1 does otherwise than the newest one.
struct Change {
  const char* what;
  bool (*concerns)(const Combination& combination);
};

constexpr std::array<Change, 5> kSince1{{
    {"StackDataset is newer",
     [](const Combination& c) { return c.dataset == "stack" || c.dataset == "bad_stack"; }},
    {"one weighted sample with replacement was drawn by another rule",
     [](const Combination& c) {
       return c.sampler == "weighted" && c.replacement != 0 && c.samples == 1;
     }},
    {"a prefetch_factor of 2 was the default without workers too",
     [](const Combination& c) { return c.workers == 0 && c.prefetch == 2; }},
    {"a negative prefetch_factor was refused without a word",
     [](const Combination& c) { return c.workers > 0 && c.prefetch.value_or(0) < 0; }},
    {"a timeout without workers was refused without a word",
     [](const Combination& c) { return c.workers == 0 && c.timeout > 0; }},
}};

}  // namespace

const char* why_left_out(std::string_view version, const Combination& combination) {
  if (!version.starts_with("1.")) {
    return nullptr;
  }
  for (const Change& change : kSince1) {
    if (change.concerns(combination)) {
      return change.what;
    }
  }
  return nullptr;
}

}  // namespace oracle
