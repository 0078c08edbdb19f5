// SPDX-License-Identifier: MIT
#include "oracle/deviations.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace oracle {
namespace {

using nlohmann::json;

json error_of(std::string_view meaning) {
  return {{"error", meaning}};
}

/// Hands each item of all epochs to `visit`.
template <class Outcome, class Visit>
void for_each_item(Outcome& outcome, Visit visit) {
  if (outcome.contains("epochs")) {
    for (auto& epoch : outcome["epochs"]) {
      std::for_each(epoch["items"].begin(), epoch["items"].end(), visit);
    }
  }
}

/// The first error of a pass; null if there is none.
json first_error(json& outcome) {
  json found;
  if (outcome.contains("epochs")) {
    for (const json& epoch : outcome["epochs"]) {
      if (found.is_null()) {
        found = epoch["begin"];
      }
    }
  }
  for_each_item(outcome, [&](const json& item) {
    if (found.is_null() && item.is_object() && item.contains("error")) {
      found = item;
    }
  });
  return found;
}

void refuse(json& outcome, json error) {
  outcome = {{"made", std::move(error)}, {"warnings", json::object()}};
}

/// For an option that PyTorch looks at when a pass begins, behind all others.
bool refuse_when_made(json& expected, const char* meaning) {
  if (expected["made"].is_null() && first_error(expected) != error_of(meaning)) {
    return false;
  }
  refuse(expected, error_of(meaning));
  return true;
}

bool timeout_when_made(const Combination& c, json& expected, const json& /*seen*/) {
  return c.workers == 0 && c.timeout > 0 && refuse_when_made(expected, "timeout without workers");
}

bool prefetch_when_made(const Combination& c, json& expected, const json& /*seen*/) {
  return c.workers > 0 && c.timeout >= 0 && c.prefetch == 0 &&
         refuse_when_made(expected, "prefetch_factor of 0");
}

bool part_when_made(const Combination& c, json& expected, const json& /*seen*/) {
  const json error = first_error(expected);
  if ((c.sampler != "weighted" && c.dataset != "bad_subset") || error.is_null()) {
    return false;
  }
  refuse(expected, error);
  return true;
}

bool no_weights_told_first(const Combination& c, json& expected, const json& /*seen*/) {
  const bool is_told_otherwise = expected["made"] == error_of("more samples than weights") ||
                                 expected["made"] == error_of("weights of 0");
  if (c.sampler != "weighted" || c.size != 0 || !is_told_otherwise) {
    return false;
  }
  refuse(expected, error_of("no weights"));
  return true;
}

bool nan_told_as_such(const Combination& c, json& expected, const json& /*seen*/) {
  if (c.weights != "nan" || expected["made"] != error_of("negative weight")) {
    return false;
  }
  refuse(expected, error_of("weight that is not finite"));
  return true;
}

/// A value without batches as Forklift has it: a number is a tensor, a text is a list.
bool put_in_tensors(json& value) {
  if (value.is_object() && value.contains("map")) {
    for (json& part : value["map"]) {
      put_in_tensors(part);
    }
    return true;
  }
  if (value.is_array()) {
    for (json& part : value) {
      put_in_tensors(part);
    }
    return true;
  }
  if (value.is_string()) {
    value = json::array({value});
    return true;
  }
  if (value.is_object()) {
    return false;
  }
  const char* dtype = value.is_boolean() ? "bool" : value.is_number_float() ? "float64" : "int64";
  value = {{"dtype", dtype}, {"shape", json::array()}, {"data", json::array({value})}};
  return true;
}

bool no_plain_numbers(const Combination& c, json& expected, const json& /*seen*/) {
  bool changed = false;
  if (!c.batch_size.has_value()) {
    for_each_item(expected, [&](json& item) { changed = put_in_tensors(item) || changed; });
  }
  return changed;
}

bool own_width(const Combination& c, json& expected, const json& /*seen*/) {
  bool changed = false;
  if (c.dataset == "narrow") {
    for_each_item(expected, [&](json& item) {
      item["dtype"] = "int32";
      changed = true;
    });
  }
  return changed;
}

bool one_dtype(const Combination& c, json& expected, const json& /*seen*/) {
  bool changed = false;
  for_each_item(expected, [&](json& item) {
    if (c.dataset != "mixed" || !item.contains("data")) {
      return;
    }
    const auto is_float = [](const json& value) { return value.get<std::int64_t>() % 4 == 3; };
    const auto& data = item["data"];
    const auto floats = std::count_if(data.begin(), data.end(), is_float);
    if (floats != 0 && floats != static_cast<std::ptrdiff_t>(data.size())) {
      item = error_of("tensors of unequal dtype");
      changed = true;
    }
  });
  return changed;
}

bool start_told_at_each_batch(const Combination& /*c*/, json& expected, const json& /*seen*/) {
  bool changed = false;
  for_each_item(expected, [&](json& item) {
    if (item == error_of("start threw before")) {
      item = error_of("start threw");
      changed = true;
    }
  });
  return changed;
}

bool stream_start_told_once(const Combination& c, json& expected, const json& /*seen*/) {
  if (c.dataset != "no_start" || first_error(expected) != error_of("start threw")) {
    return false;
  }
  const auto takes = parts_of(c.take);
  for (std::size_t i = 0; i < takes.size(); ++i) {
    json& epoch = expected["epochs"][i];
    const std::size_t most = most_items(takes[i]);
    const auto streams = static_cast<std::size_t>(std::max<std::int64_t>(c.workers, 1));
    epoch["begin"] = nullptr;
    epoch["items"] = json(std::min(most, streams), error_of("start threw"));
    epoch["ended"] = most > streams;
  }
  return true;
}

bool sampler_error_at_its_place(const Combination& c, json& expected, const json& seen) {
  if (for_torch(c).workers == c.workers) {
    return false;
  }
  if (seen["warnings"].contains("workers")) {
    expected["warnings"]["workers"] = seen["warnings"]["workers"];
  }
  return true;
}

bool warned_once(const Combination& /*c*/, json& expected, const json& /*seen*/) {
  bool changed = false;
  for (const char* kind : {"workers", "length"}) {
    if (expected["warnings"].value(kind, 0) > 1) {
      expected["warnings"][kind] = 1;
      changed = true;
    }
  }
  return changed;
}

constexpr std::array<Deviation, 12> kDeviations{{
    {"timeout_when_made",
     "timeout > 0 without workers is refused when the loader is made, before what comes later",
     timeout_when_made},
    {"prefetch_when_made",
     "prefetch_factor = 0 is refused when the loader is made, before what comes later",
     prefetch_when_made},
    {"part_when_made",
     "weights and the indices of a Subset are checked when the sampler or dataset is made",
     part_when_made},
    {"no_weights_told_first",
     "that there are no weights is told before that they are too few, or sum up to 0",
     no_weights_told_first},
    {"nan_told_as_such", "a weight that is NaN is called so, not less than 0", nan_told_as_such},
    {"start_told_at_each_batch",
     "a worker that could not start says why at each of its batches; PyTorch's trips over itself",
     start_told_at_each_batch},
    {"stream_start_told_once",
     "an iterate() that throws is told in the place of each worker's first batch, without workers "
     "too, and its stream is over; PyTorch's workers never end then",
     stream_start_told_once},
    {"sampler_error_at_its_place",
     "what a sampler throws comes after the batches before it, with workers too: PyTorch is asked "
     "without workers",
     sampler_error_at_its_place},
    {"no_plain_numbers",
     "without batches a number is a 0-dim tensor, a text a list of one",
     no_plain_numbers},
    {"own_width", "an std::int32_t becomes int32; PyTorch knows no width of an int", own_width},
    {"one_dtype", "mixed dtypes in a batch are an error, not converted", one_dtype},
    {"warned_once", "each kind of warning comes once for a loader", warned_once},
}};

}  // namespace

std::span<const Deviation> deviations() {
  return kDeviations;
}

Combination for_torch(const Combination& c) {
  Combination asked = c;
  const bool draws_from_nothing = (c.sampler == "random" || c.batch_sampler == "random") &&
                                  c.size == 0 && c.samples.has_value();
  if (c.sampler == "throws" || draws_from_nothing) {
    asked.workers = 0;
    asked.timeout = 0;
    asked.prefetch.reset();
  }
  return asked;
}

}  // namespace oracle
