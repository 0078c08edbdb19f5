// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/one_pass.hpp"

#include <forklift/distributed_sampler.hpp>
#include <forklift/generator.hpp>

namespace forklift::test {
namespace {

using test_support::one_pass;

TEST(GoldenDistributedSampler, lists_of_the_quick_check) {
  for (const bool drop_last : {false, true}) {
    const auto& lists =
        golden(drop_last ? "dist_n10_R3_drop_seed3_epoch2" : "dist_n10_R3_pad_seed3_epoch2");
    for (std::size_t rank = 0; rank < 3; ++rank) {
      DistributedSampler sampler(
          10, {.num_replicas = 3, .rank = rank, .seed = 3, .drop_last = drop_last});
      sampler.set_epoch(2);
      EXPECT_EQ(one_pass(sampler), lists.at(rank).get<std::vector<std::size_t>>());
    }
  }
}

TEST(GoldenDistributedSampler, shares_of_every_rank) {
  for (const auto& recorded : golden("distributed_sampler_cases")) {
    SCOPED_TRACE(recorded.dump().substr(0, 160));
    const auto replicas = recorded.at("replicas").get<std::size_t>();
    ASSERT_EQ(recorded.at("ranks").size(), replicas);
    for (std::size_t rank = 0; rank < replicas; ++rank) {
      const auto& expected = recorded.at("ranks").at(rank);
      DistributedSampler sampler(recorded.at("n").get<std::size_t>(),
                                 {.num_replicas = replicas,
                                  .rank = rank,
                                  .shuffle = recorded.at("shuffle").get<bool>(),
                                  .seed = recorded.at("seed").get<std::uint64_t>(),
                                  .drop_last = recorded.at("drop_last").get<bool>()});
      sampler.set_epoch(recorded.at("epoch").get<std::size_t>());
      EXPECT_EQ(sampler.size(), expected.at("len").get<std::size_t>());
      expect_list(expected, one_pass(sampler));
    }
  }
}

TEST(GoldenDistributedSampler, drops_everything_where_there_is_less_than_one_for_each) {
  for (const auto& recorded : golden("distributed_sampler_small_drop_last")) {
    SCOPED_TRACE(recorded.dump());
    DistributedSampler sampler(recorded.at("n").get<std::size_t>(),
                               {.num_replicas = recorded.at("replicas").get<int>(),
                                .rank = recorded.at("rank").get<int>(),
                                .shuffle = recorded.at("shuffle").get<bool>(),
                                .drop_last = true});
    EXPECT_EQ(sampler.size(), recorded.at("result").at("len").get<std::size_t>());
    expect_list(recorded.at("result"), one_pass(sampler));
  }
}

TEST(GoldenDistributedSampler, leaves_the_default_generator_alone) {
  manual_seed(5);
  EXPECT_EQ(one_pass(DistributedSampler(10, {.num_replicas = 2, .rank = 0})).size(), 5U);
  EXPECT_EQ(default_generator().random63(), Generator(5).random63());
}

}  // namespace
}  // namespace forklift::test
