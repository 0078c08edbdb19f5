// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "oracle/combination.hpp"
#include "oracle/seeded.hpp"
#include "oracle/told.hpp"
#include "oracle/value.hpp"

#include <forklift/data_loader.hpp>
#include <forklift/options.hpp>
#include <nlohmann/json.hpp>

namespace oracle {

/// The options that a combination names.
[[nodiscard]] forklift::DataLoaderOptions options_of(const Combination& combination,
                                                     const Seeded& seeded,
                                                     std::function<void(std::string_view)> warn);

template <class Loader>
nlohmann::json length_of(const Loader& loader) {
  try {
    if constexpr (requires { loader.size().has_value(); }) {
      const auto size = loader.size();
      return size.has_value() ? nlohmann::json(*size) : told("std::nullopt", "no size");
    } else {
      return loader.size();
    }
  } catch (...) {
    return told_current();
  }
}

/// Takes at most `most` items of a pass, errors too, and says in `epoch` what came. The iterator
/// is not asked for more than that.
template <class Loader>
auto take_items(Loader& loader, std::size_t most, nlohmann::json& epoch) {
  auto items = nlohmann::json::array();
  auto item = loader.begin();
  bool ended = false;
  while (items.size() < most && !ended) {
    try {
      ended = item == loader.end();
      if (!ended) {
        items.push_back(value_of(*item));
      }
    } catch (...) {
      items.push_back(told_current());
    }
    if (!ended && items.size() < most) {
      ++item;
    }
  }
  epoch["items"] = std::move(items);
  epoch["ended"] = ended;
  return item;
}

template <class Loader>
nlohmann::json run_epoch(Loader& loader, const std::string& take, const Seeded& seeded) {
  nlohmann::json epoch{{"begin", nullptr}, {"items", nlohmann::json::array()}, {"ended", false}};
  try {
    const auto kept = take_items(loader, most_items(take), epoch);
    epoch["states"] = seeded.states();  // while the iterator lives, as after a break
  } catch (...) {
    epoch["begin"] = told_current();
    epoch["states"] = seeded.states();
  }
  return epoch;
}

/// Runs a loader as oracle.py does. `make(seeded, warn)` makes it.
template <class Make>
nlohmann::json drive(const Combination& c, const Make& make) {
  nlohmann::json outcome{{"made", nullptr}, {"warnings", nlohmann::json::object()}};
  const auto warn = [&](std::string_view text) { count_warning(text, outcome["warnings"]); };
  const Seeded seeded(c);
  std::optional<std::invoke_result_t<const Make&, const Seeded&, decltype(warn)>> loader;
  try {
    loader.emplace(make(seeded, warn));
  } catch (...) {
    outcome["made"] = told_current();
    return outcome;
  }
  if (c.length == "first") {
    outcome["length"] = length_of(*loader);
  }
  auto epochs = nlohmann::json::array();
  for (const std::string& take : parts_of(c.take)) {
    if (c.set_epoch != 0) {
      loader->set_epoch(epochs.size() + 3);
    }
    epochs.push_back(run_epoch(*loader, take, seeded));
  }
  outcome["epochs"] = std::move(epochs);
  if (c.length == "last") {
    outcome["length"] = length_of(*loader);
  }
  return outcome;
}

/// A loader of `make_dataset(seeded, warn)` with the options of the combination.
template <class MakeDataset>
nlohmann::json drive_dataset(const Combination& c, const MakeDataset& make_dataset) {
  return drive(c, [&](const Seeded& seeded, const auto& warn) {
    auto dataset = make_dataset(seeded, warn);
    return forklift::DataLoader<decltype(dataset)>(std::move(dataset), options_of(c, seeded, warn));
  });
}

}  // namespace oracle
