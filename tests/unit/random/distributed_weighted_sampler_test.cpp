// SPDX-License-Identifier: MIT
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/one_pass.hpp"

#include <forklift/any_sampler.hpp>
#include <forklift/count.hpp>
#include <forklift/distributed_weighted_sampler.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/weighted_random_sampler.hpp>

namespace forklift {
namespace {

using test_support::one_pass;
using test_support::rest_of_pass;
using Indices = std::vector<std::size_t>;
using Weights = std::vector<double>;

static_assert(Sampler<DistributedWeightedSampler>);

Weights ramp(std::size_t size) {
  Weights weights(size);
  for (std::size_t i = 0; i < size; ++i) {
    weights[i] = static_cast<double>(i + 1);
  }
  return weights;
}

/// Every `replicas`-th element from `rank` on, of a list that is repeated or cut.
Indices dealt(const Indices& list, std::size_t replicas, std::size_t rank, bool drop_last) {
  const std::size_t each =
      drop_last ? list.size() / replicas : (list.size() + replicas - 1) / replicas;
  Indices share;
  for (std::size_t i = 0; i < each; ++i) {
    share.push_back(list[(rank + i * replicas) % list.size()]);
  }
  return share;
}

/// Every rank's share against the draw of a sampler that is not distributed.
void expect_dealt(std::size_t num_samples, std::size_t replicas, bool replacement, bool drop_last) {
  SCOPED_TRACE(std::to_string(num_samples) + " among " + std::to_string(replicas));
  const Indices whole = one_pass(WeightedRandomSampler(
      ramp(12), num_samples, {.replacement = replacement, .generator = Generator(9)}));
  for (std::size_t rank = 0; rank < replicas; ++rank) {
    DistributedWeightedSampler sampler(ramp(12),
                                       num_samples,
                                       {.num_replicas = replicas,
                                        .rank = rank,
                                        .replacement = replacement,
                                        .seed = 4,
                                        .drop_last = drop_last});
    sampler.set_epoch(5);
    const Indices expected = dealt(whole, replicas, rank, drop_last);
    EXPECT_EQ(one_pass(sampler), expected);
    EXPECT_EQ(sampler.size(), expected.size());
  }
}

TEST(DistributedWeightedSampler, deals_out_one_draw_that_all_processes_make) {
  for (std::size_t num_samples = 1; num_samples <= 12; ++num_samples) {
    for (std::size_t replicas = 1; replicas <= 6; ++replicas) {
      for (const bool replacement : {false, true}) {
        expect_dealt(num_samples, replicas, replacement, false);
        expect_dealt(num_samples, replicas, replacement, true);
      }
    }
  }
}

TEST(DistributedWeightedSampler, has_the_same_draw_in_each_pass_until_the_epoch_is_set) {
  DistributedWeightedSampler sampler(ramp(50), 100, {.num_replicas = 2, .rank = 1});
  const Indices epoch_0 = one_pass(sampler);
  auto cursor = sampler.iterate();
  sampler.set_epoch(1);
  EXPECT_EQ(rest_of_pass(cursor), epoch_0) << "a pass keeps the epoch that it began with";
  EXPECT_EQ(cursor.next(), std::nullopt);
  EXPECT_NE(one_pass(sampler), epoch_0);
  sampler.set_epoch(0);
  EXPECT_EQ(one_pass(sampler), epoch_0);
}

TEST(DistributedWeightedSampler, hears_of_the_epoch_through_any_sampler) {
  const AnySampler sampler =
      DistributedWeightedSampler(ramp(50), 40, {.num_replicas = 2, .rank = 0});
  const auto indices = [&] {
    Indices pass;
    sampler.iterate()->append(100, pass);
    return pass;
  };
  const Indices epoch_0 = indices();
  EXPECT_EQ(epoch_0.size(), 20U);
  sampler.set_epoch(1);
  EXPECT_NE(indices(), epoch_0);
}

TEST(DistributedWeightedSampler, refuses_what_its_parts_refuse) {
  const auto error_of =
      [](Weights weights, Count num_samples, DistributedWeightedSamplerOptions options) {
        return test_support::message_of<InvalidOptions>([&] {
          const DistributedWeightedSampler sampler(std::move(weights), num_samples, options);
        });
      };
  EXPECT_EQ(error_of({1, 2}, 2, {.num_replicas = 2, .rank = 2}),
            "Invalid rank 2, rank should be in the interval [0, 1]");
  EXPECT_EQ(error_of({1, 2}, 0, {.num_replicas = 2, .rank = 1}),
            "num_samples should be a positive integer value, but got num_samples=0");
  EXPECT_NE(error_of({1, -2}, 2, {.num_replicas = 2, .rank = 1}).find("weights[1] is -2"),
            std::string::npos);
}

TEST(DistributedWeightedSampler, knows_whether_indices_repeat) {
  EXPECT_FALSE(AnySampler(DistributedWeightedSampler(ramp(5), 5, {.num_replicas = 2, .rank = 0}))
                   .indices_are_unique());
  EXPECT_TRUE(AnySampler(DistributedWeightedSampler(
                             ramp(5), 5, {.num_replicas = 2, .rank = 0, .replacement = false}))
                  .indices_are_unique());
}

}  // namespace
}  // namespace forklift
