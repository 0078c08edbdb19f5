// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/golden_streams.hpp"
#include "support/one_pass.hpp"

#include <forklift/count.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_sampler.hpp>

namespace forklift::test {
namespace {

using test_support::one_pass;

std::optional<Count> count_of(const nlohmann::json& value) {
  return value.is_null() ? std::nullopt : std::optional<Count>(value.get<std::uint64_t>());
}

TEST(GoldenRandomSampler, lists_of_the_quick_check) {
  struct Quick {
    const char* name;
    RandomSamplerOptions options;
  };
  const std::vector<Quick> quick = {
      {"random_sampler_repl_n10_ns40_seed42",
       {.replacement = true, .num_samples = 40, .generator = Generator(42)}},
      {"random_sampler_norepl_n10_ns25_seed42", {.num_samples = 25, .generator = Generator(42)}},
      {"random_sampler_norepl_n10_ns4_seed42", {.num_samples = 4, .generator = Generator(42)}}};
  for (const auto& [name, options] : quick) {
    EXPECT_EQ(one_pass(RandomSampler(10, options)), golden(name).get<std::vector<std::size_t>>())
        << name;
  }
}

TEST(GoldenRandomSampler, two_passes_and_the_stream_after_each) {
  for (const auto& recorded : golden("random_sampler_cases")) {
    SCOPED_TRACE(recorded.dump().substr(0, 160));
    // The recorded draw after the first pass did not move the stream, so each number of passes is
    // run on its own.
    for (int passes : {1, 2}) {
      Streams streams = streams_of(recorded);
      const RandomSampler sampler(recorded.at("n").get<std::size_t>(),
                                  {.replacement = recorded.at("replacement").get<bool>(),
                                   .num_samples = count_of(recorded.at("num_samples")),
                                   .generator = streams.given});
      EXPECT_EQ(sampler.size(), recorded.at("len").get<std::size_t>());
      for (int pass = 1; pass <= passes; ++pass) {
        expect_list(recorded.at("pass" + std::to_string(pass)), one_pass(sampler));
      }
      EXPECT_EQ(streams.recorded.random63(),
                recorded.at("next63_after_pass" + std::to_string(passes)).get<std::uint64_t>());
    }
  }
}

TEST(GoldenRandomSampler, draws_no_more_than_what_was_asked_for) {
  for (const auto& recorded : golden("random_sampler_partial_cases")) {
    SCOPED_TRACE(recorded.dump());
    Generator generator(recorded.at("seed").get<std::uint64_t>());
    const RandomSampler sampler(recorded.at("n").get<std::size_t>(),
                                {.replacement = recorded.at("replacement").get<bool>(),
                                 .num_samples = count_of(recorded.at("num_samples")),
                                 .generator = generator});
    auto cursor = sampler.iterate();
    ASSERT_EQ(recorded.at("out").size(), recorded.at("requests").get<std::size_t>());
    for (const auto& expected : recorded.at("out")) {
      const auto index = cursor.next();
      ASSERT_EQ(index.has_value(), expected != "end");
      if (index.has_value()) {
        EXPECT_EQ(*index, expected.get<std::size_t>());
      }
    }
    EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
  }
}

}  // namespace
}  // namespace forklift::test
