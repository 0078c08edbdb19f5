// SPDX-License-Identifier: MIT
// Semantics 4.4 and 4.9.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/one_pass.hpp"

#include <forklift/generator.hpp>
#include <forklift/weighted_random_sampler.hpp>

namespace forklift::test {
namespace {

using test_support::one_pass;
using Indices = std::vector<std::size_t>;

std::vector<double> weights_of(const std::string& name) {
  return golden("weighted_weights").at(name).get<std::vector<double>>();
}

TEST(GoldenWeightedRandomSampler, lists_of_the_quick_check) {
  struct Quick {
    const char* name;
    std::size_t num_samples;
    bool replacement;
  };
  for (const auto& [name, num_samples, replacement] : {Quick{"weighted_repl_10_seed42", 10, true},
                                                       Quick{"weighted_norepl_6_seed42", 6, false},
                                                       Quick{"weighted_norepl_3_seed42", 3, false},
                                                       Quick{"weighted_norepl_1_seed42", 1, false},
                                                       Quick{"weighted_repl_1_seed42", 1, true}}) {
    const WeightedRandomSampler sampler(
        weights_of("w6"), num_samples, {.replacement = replacement, .generator = Generator(42)});
    EXPECT_EQ(one_pass(sampler), golden(name).get<Indices>()) << name;
  }
}

TEST(GoldenWeightedRandomSampler, samples_and_the_stream_after_them) {
  for (const auto& recorded : golden("weighted_sampler_cases")) {
    SCOPED_TRACE(recorded.dump().substr(0, 160));
    Generator generator(recorded.at("seed").get<std::uint64_t>());
    const WeightedRandomSampler sampler(
        weights_of(recorded.at("weights").get<std::string>()),
        recorded.at("num_samples").get<std::size_t>(),
        {.replacement = recorded.at("replacement").get<bool>(), .generator = generator});
    expect_list(recorded, one_pass(sampler));
    EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
  }
}

TEST(GoldenWeightedRandomSampler, one_sample_with_replacement_is_raced_for) {
  std::uint64_t seed = 0;
  for (const auto& recorded : golden("weighted_one_sample_repl_w6_seeds0to39")) {
    const WeightedRandomSampler sampler(weights_of("w6"), 1, {.generator = Generator(seed)});
    EXPECT_EQ(one_pass(sampler), Indices{recorded.get<std::size_t>()}) << "seed " << seed;
    ++seed;
  }
  EXPECT_EQ(seed, 40U);
}

TEST(GoldenWeightedRandomSampler, goes_on_with_the_default_generator) {
  const auto& recorded = golden("weighted_default_generator_two_passes_seed42");
  manual_seed(42);
  const WeightedRandomSampler sampler(weights_of("w6"), 10);
  EXPECT_EQ(one_pass(sampler), recorded.at("pass1").get<Indices>());
  EXPECT_EQ(one_pass(sampler), recorded.at("pass2").get<Indices>());
  EXPECT_EQ(default_generator().random63(), recorded.at("next63").get<std::uint64_t>());
}

}  // namespace
}  // namespace forklift::test
