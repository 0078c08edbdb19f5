// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/one_pass.hpp"

#include <forklift/any_sampler.hpp>
#include <forklift/batch_sampler.hpp>
#include <forklift/count.hpp>
#include <forklift/distributed_sampler.hpp>
#include <forklift/error.hpp>

namespace forklift {
namespace {

using test_support::one_pass;
using test_support::rest_of_pass;
using Indices = std::vector<std::size_t>;

static_assert(Sampler<DistributedSampler>);

std::string error_of(Count num_replicas, Count rank) {
  return test_support::message_of<InvalidOptions>(
      [&] { const DistributedSampler sampler(10, {.num_replicas = num_replicas, .rank = rank}); });
}

TEST(DistributedSampler, refuses_a_rank_in_the_words_of_pytorch) {
  EXPECT_EQ(error_of(3, 3), "Invalid rank 3, rank should be in the interval [0, 2]");
  EXPECT_EQ(error_of(3, -1), "Invalid rank -1, rank should be in the interval [0, 2]");
  EXPECT_EQ(error_of(1, std::numeric_limits<std::uint64_t>::max()),
            "Invalid rank 18446744073709551615, rank should be in the interval [0, 0]");
}

TEST(DistributedSampler, refuses_to_share_among_nobody) {
  const std::string words =
      "num_replicas should be a positive integer value, but got num_replicas=";
  EXPECT_EQ(error_of(0, 0), words + "0");
  EXPECT_EQ(error_of(-2, 0), words + "-2");
}

void expect_fair_shares(std::size_t size, std::size_t replicas, bool shuffle) {
  SCOPED_TRACE(std::to_string(size) + " among " + std::to_string(replicas));
  std::vector<bool> seen(size);
  for (std::size_t rank = 0; rank < replicas; ++rank) {
    DistributedSampler sampler(size, {.num_replicas = replicas, .rank = rank, .shuffle = shuffle});
    Indices share = one_pass(sampler);
    EXPECT_EQ(share.size(), (size + replicas - 1) / replicas);
    EXPECT_EQ(share.size(), sampler.size());
    std::ranges::sort(share);
    EXPECT_EQ(std::ranges::adjacent_find(share), share.end()) << "unique in one share";
    for (const std::size_t index : share) {
      seen.at(index) = true;
    }
  }
  EXPECT_EQ(seen, std::vector<bool>(size, true));
}

TEST(DistributedSampler, shares_are_equally_long_and_leave_nobody_out) {
  for (std::size_t size = 0; size <= 20; ++size) {
    for (std::size_t replicas = 1; replicas <= 9; ++replicas) {
      expect_fair_shares(size, replicas, false);
      expect_fair_shares(size, replicas, true);
    }
  }
}

TEST(DistributedSampler, has_the_same_order_in_each_pass_until_the_epoch_is_set) {
  DistributedSampler sampler(100, {.num_replicas = 2, .rank = 1, .seed = 7});
  const Indices epoch_0 = one_pass(sampler);
  EXPECT_EQ(one_pass(sampler), epoch_0);

  sampler.set_epoch(1);
  const Indices epoch_1 = one_pass(sampler);
  EXPECT_NE(epoch_1, epoch_0);
  EXPECT_EQ(one_pass(DistributedSampler(100, {.num_replicas = 2, .rank = 1, .seed = 8})), epoch_1)
      << "seed and epoch are added";

  sampler.set_epoch(0);
  EXPECT_EQ(one_pass(sampler), epoch_0);
}

TEST(DistributedSampler, a_pass_keeps_the_epoch_that_it_began_with) {
  DistributedSampler sampler(100, {.num_replicas = 2, .rank = 0});
  const Indices epoch_0 = one_pass(sampler);
  auto cursor = sampler.iterate();
  sampler.set_epoch(1);
  EXPECT_EQ(rest_of_pass(cursor), epoch_0);
  EXPECT_EQ(cursor.next(), std::nullopt);
}

TEST(DistributedSampler, hears_of_the_epoch_through_all_that_wraps_it) {
  const AnySampler sampler = DistributedSampler(100, {.num_replicas = 2, .rank = 0});
  const AnyBatchSampler batches = BatchSampler(sampler, 100, false);
  const auto indices = [&] {
    Indices batch;
    batches.iterate()->next(batch);
    return batch;
  };
  const Indices epoch_0 = indices();

  batches.set_epoch(3);

  DistributedSampler expected(100, {.num_replicas = 2, .rank = 0});
  EXPECT_EQ(epoch_0, one_pass(expected));
  expected.set_epoch(3);
  EXPECT_EQ(indices(), one_pass(expected));
  EXPECT_TRUE(batches.indices_are_unique());
}

TEST(DistributedSampler, reads_the_size_once) {
  int asked = 0;
  DistributedSampler sampler(
      [&asked] {
        ++asked;
        return 4;
      },
      {.num_replicas = 2, .rank = 0, .shuffle = false});
  EXPECT_EQ(one_pass(sampler), (Indices{0, 2}));
  EXPECT_EQ(one_pass(sampler), (Indices{0, 2}));
  EXPECT_EQ(sampler.size(), 2U);
  EXPECT_EQ(asked, 1);
}

TEST(DistributedSampler, needs_no_memory_without_shuffle) {
  auto cursor = DistributedSampler(std::size_t{1} << 60U,
                                   {.num_replicas = 1'000'000, .rank = 3, .shuffle = false})
                    .iterate();
  EXPECT_EQ(cursor.next(), 3U);
  EXPECT_EQ(cursor.next(), 1'000'003U);
}

}  // namespace
}  // namespace forklift
