// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"

#include <forklift/any_sampler.hpp>
#include <forklift/batch_sampler.hpp>
#include <forklift/distributed_sampler.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/sampler.hpp>
#include <forklift/subset_random_sampler.hpp>
#include <forklift/weighted_random_sampler.hpp>

namespace forklift::test {
namespace {

AnySampler sampler_of(const std::string& name, std::size_t size, const Generator& generator) {
  if (name == "sequential") {
    return SequentialSampler(size);
  }
  if (name == "random") {
    return RandomSampler(size, {.generator = generator});
  }
  if (name == "random_repl") {
    return RandomSampler(size, {.replacement = true, .generator = generator});
  }
  if (name == "subset_even") {
    std::vector<std::size_t> even(size);
    std::ranges::generate(even, [i = std::size_t{0}]() mutable { return 2 * i++; });
    return SubsetRandomSampler(even, {.generator = generator});
  }
  if (name == "weighted_1_to_n") {
    std::vector<double> weights(size);
    std::iota(weights.begin(), weights.end(), 1.0);
    return WeightedRandomSampler(weights, size, {.generator = generator});
  }
  DistributedSampler sampler(size, {.num_replicas = 2, .rank = 1});
  sampler.set_epoch(1);
  return name == "distributed_R2_r1_seed0_epoch1" ? AnySampler(sampler) : AnySampler();
}

TEST(GoldenBatchSampler, batches_length_and_the_stream_after_them) {
  std::size_t compared = 0;
  for (const auto& recorded : golden("batch_sampler_cases")) {
    SCOPED_TRACE(recorded.dump());
    Generator generator(recorded.at("seed").get<std::uint64_t>());
    const auto sampler = sampler_of(
        recorded.at("sampler").get<std::string>(), recorded.at("n").get<std::size_t>(), generator);
    ASSERT_TRUE(sampler);
    const AnyBatchSampler batches = BatchSampler(sampler,
                                                 recorded.at("batch_size").get<std::uint64_t>(),
                                                 recorded.at("drop_last").get<bool>());
    EXPECT_EQ(batches.size(), recorded.at("len").get<std::size_t>());

    std::vector<std::vector<std::size_t>> lists;
    std::vector<std::size_t> indices;
    for (auto cursor = batches.iterate(); cursor->next(indices);) {
      lists.push_back(indices);
    }

    EXPECT_EQ(lists, recorded.at("batches").get<std::vector<std::vector<std::size_t>>>());
    EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
    ++compared;
  }
  EXPECT_EQ(compared, 72U);
}

}  // namespace
}  // namespace forklift::test
