// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/golden_streams.hpp"
#include "support/one_pass.hpp"

#include <forklift/generator.hpp>
#include <forklift/subset_random_sampler.hpp>

namespace forklift::test {
namespace {

using test_support::one_pass;

/// A list, or the numbers from, from + step, ...
std::vector<std::size_t> indices_of(const nlohmann::json& recorded) {
  if (recorded.is_array()) {
    return recorded.get<std::vector<std::size_t>>();
  }
  std::vector<std::size_t> indices(recorded.at("count").get<std::size_t>());
  auto index = recorded.at("from").get<std::size_t>();
  for (auto& out : indices) {
    out = index;
    index += recorded.at("step").get<std::size_t>();
  }
  return indices;
}

TEST(GoldenSubsetRandomSampler, list_of_the_quick_check) {
  const SubsetRandomSampler sampler({10, 20, 30, 40, 50}, {.generator = Generator(42)});
  EXPECT_EQ(one_pass(sampler),
            golden("subset_10_20_30_40_50_seed42").get<std::vector<std::size_t>>());
}

TEST(GoldenSubsetRandomSampler, two_passes_and_the_stream_after_them) {
  for (const auto& recorded : golden("subset_random_sampler_cases")) {
    SCOPED_TRACE(recorded.dump().substr(0, 160));
    Streams streams = streams_of(recorded);
    const SubsetRandomSampler sampler(indices_of(recorded.at("indices")),
                                      {.generator = streams.given});
    for (const char* pass : {"pass1", "pass2"}) {
      expect_list(recorded.at(pass), one_pass(sampler));
    }
    EXPECT_EQ(streams.recorded.random63(), recorded.at("next63").get<std::uint64_t>());
  }
}

}  // namespace
}  // namespace forklift::test
