// SPDX-License-Identifier: MIT
#include "oracle/seeded.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>

#include "support/sha256.hpp"

namespace oracle {
namespace {

std::string state_of(const forklift::Generator& generator) {
  return forklift::test::sha256_of<std::uint8_t>(generator.get_state());
}

}  // namespace

Seeded::Seeded(const Combination& combination) : split(combination.seed + 3) {
  forklift::manual_seed(combination.seed);
  if (combination.generator != 0) {
    loader.emplace(combination.seed + 1);
  }
  if (combination.sampler_generator == "own") {
    sampler.emplace(combination.seed + 2);
  } else if (combination.sampler_generator == "shared") {
    sampler = loader;
  }
}

nlohmann::json Seeded::states() const {
  auto states = nlohmann::json::array({state_of(forklift::default_generator())});
  for (const auto& generator : {loader, sampler}) {
    if (generator.has_value()) {
      states.push_back(state_of(*generator));
    }
  }
  return states;
}

}  // namespace oracle
