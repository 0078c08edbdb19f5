// SPDX-License-Identifier: MIT
#include "oracle/runs.hpp"

#include <stdexcept>

namespace oracle {

nlohmann::json run_forklift(const Combination& combination) {
  for (const Runs& runs : {number_runs(), sample_runs(), composition_runs(), stream_runs()}) {
    if (const auto found = runs.find(combination.dataset); found != runs.end()) {
      return found->second(combination);
    }
  }
  throw std::invalid_argument("there is no dataset '" + combination.dataset + "'");
}

}  // namespace oracle
