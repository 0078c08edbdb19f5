// SPDX-License-Identifier: MIT
// Samplers of several processes that go on with more or fewer of them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/one_pass.hpp"

#include <forklift/distributed_sampler.hpp>
#include <forklift/distributed_weighted_sampler.hpp>
#include <forklift/error.hpp>
#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using detail::Taken;
using test_support::one_pass;
using Indices = std::vector<std::size_t>;

DistributedSampler in_order(std::size_t size,
                            std::size_t num_replicas,
                            std::size_t rank,
                            bool drop_last = false) {
  return {size,
          {.num_replicas = num_replicas, .rank = rank, .shuffle = false, .drop_last = drop_last}};
}

Taken taken(std::uint64_t samples) {
  return {.within_pass = true, .samples = samples};
}

// The share of each process when those of `state` had taken so much of their pass.
std::vector<Indices> shares_behind(const std::string& state,
                                   std::uint64_t samples,
                                   std::size_t size,
                                   std::size_t num_replicas,
                                   bool drop_last = false) {
  std::vector<Indices> shares;
  for (std::size_t rank = 0; rank < num_replicas; ++rank) {
    DistributedSampler sampler = in_order(size, num_replicas, rank, drop_last);
    sampler.load_state_dict(state, taken(samples));
    shares.push_back(one_pass(sampler));
  }
  return shares;
}

TEST(DistributedResume, shares_what_is_left_among_more_or_fewer) {
  const std::string state = in_order(10, 2, 1).state_dict();
  EXPECT_EQ(shares_behind(state, 2, 10, 3), (std::vector<Indices>{{4, 7}, {5, 8}, {6, 9}}));
  EXPECT_EQ(shares_behind(state, 2, 10, 1), (std::vector<Indices>{{4, 5, 6, 7, 8, 9}}));
}

TEST(DistributedResume, repeats_the_front_of_the_list_where_what_is_left_does_not_divide) {
  const std::string state = in_order(10, 2, 0).state_dict();
  EXPECT_EQ(shares_behind(state, 3, 10, 3), (std::vector<Indices>{{6, 9}, {7, 0}, {8, 1}}));
  EXPECT_EQ(shares_behind(state, 4, 10, 5), (std::vector<Indices>{{8}, {9}, {0}, {1}, {2}}));
}

TEST(DistributedResume, drops_of_what_is_left_what_does_not_divide) {
  const std::string state = in_order(10, 2, 0).state_dict();
  EXPECT_EQ(shares_behind(state, 3, 10, 3, true), (std::vector<Indices>{{6}, {7}, {8}}));
  EXPECT_EQ(shares_behind(state, 4, 10, 5, true), (std::vector<Indices>(5)));
}

TEST(DistributedResume, has_nothing_left_behind_what_came_twice) {
  const std::string state = in_order(10, 4, 0).state_dict();  // 8, 9, 0, 1 were the last ones
  EXPECT_EQ(shares_behind(state, 3, 10, 2), (std::vector<Indices>(2)));
}

TEST(DistributedResume, with_as_many_goes_on_as_if_nothing_had_happened) {
  for (const bool drop_last : {false, true}) {
    for (std::size_t rank = 0; rank < 4; ++rank) {
      DistributedSampler sampler(
          22, {.num_replicas = 4, .rank = rank, .seed = 3, .drop_last = drop_last});
      sampler.set_epoch(2);
      const Indices whole = one_pass(sampler);
      for (std::size_t samples = 0; samples <= whole.size(); ++samples) {
        DistributedSampler other(
            22, {.num_replicas = 4, .rank = rank, .seed = 3, .drop_last = drop_last});
        other.load_state_dict(sampler.state_dict(), taken(samples));
        EXPECT_EQ(one_pass(other),
                  Indices(whole.begin() + static_cast<std::ptrdiff_t>(samples), whole.end()));
        EXPECT_EQ(one_pass(other), whole) << "the pass after it is a whole one";
      }
    }
  }
}

TEST(DistributedResume, again_counts_what_was_taken_by_all_before) {
  DistributedSampler second = in_order(20, 3, 0);
  second.load_state_dict(in_order(20, 2, 0).state_dict(), taken(2));  // 0..3
  const std::string state = second.state_dict();
  EXPECT_EQ(shares_behind(state, 4, 20, 4),  // 4..9
            (std::vector<Indices>{{10, 14, 18}, {11, 15, 19}, {12, 16, 0}, {13, 17, 1}}));
  EXPECT_EQ(shares_behind(state, 2, 20, 1).front().front(), 4U) << "nothing more was taken";
}

TEST(DistributedResume, passes_over_what_its_loader_counts) {
  DistributedSampler sampler = in_order(20, 3, 1);
  sampler.load_state_dict(in_order(20, 2, 0).state_dict(), taken(2));
  auto cursor = sampler.iterate();
  EXPECT_EQ(cursor.skip(2), 2U);
  EXPECT_EQ(cursor.next(), 5U);
  EXPECT_EQ(cursor.skip(2), 2U);
  EXPECT_EQ(cursor.next(), 14U);
  EXPECT_EQ(cursor.skip(100), 2U);
  EXPECT_EQ(cursor.next(), std::nullopt);
}

TEST(DistributedResume, between_two_passes_takes_the_epoch_only) {
  DistributedSampler saved(9, {.num_replicas = 2, .rank = 0, .seed = 3});
  saved.set_epoch(4);
  DistributedSampler whole(9, {.num_replicas = 3, .rank = 1, .seed = 3});
  whole.set_epoch(4);
  const Indices expected = one_pass(whole);
  DistributedSampler sampler(9, {.num_replicas = 3, .rank = 1, .seed = 3});
  sampler.load_state_dict(saved.state_dict(), Taken{});
  EXPECT_EQ(one_pass(sampler), expected);
}

TEST(DistributedResume, forgets_the_rest_when_another_epoch_is_named) {
  DistributedSampler sampler = in_order(10, 2, 0);
  sampler.load_state_dict(in_order(10, 5, 0).state_dict(), taken(1));
  sampler.set_epoch(1);
  EXPECT_EQ(one_pass(sampler), (Indices{0, 2, 4, 6, 8}));
}

TEST(DistributedResume, of_a_weighted_draw_goes_on_with_the_same_draw) {
  for (const bool replacement : {false, true}) {
    const auto make = [&](std::size_t num_replicas, std::size_t rank) {
      return DistributedWeightedSampler(
          std::vector<double>(40, 1.0),
          30,
          {.num_replicas = num_replicas, .rank = rank, .replacement = replacement, .seed = 8});
    };
    auto alone = make(1, 0);
    const Indices draw = one_pass(alone);
    for (std::size_t samples = 0; samples <= 10; ++samples) {
      for (std::size_t rank = 0; rank < 4; ++rank) {
        auto sampler = make(4, rank);
        sampler.load_state_dict(make(3, 0).state_dict(), taken(samples));
        Indices expected;
        const std::size_t rest = 30 - 3 * samples;
        for (std::size_t i = 0; i < (rest + 3) / 4; ++i) {
          expected.push_back(draw[(3 * samples + rank + 4 * i) % 30]);
        }
        EXPECT_EQ(one_pass(sampler), expected) << samples << " taken, rank " << rank;
      }
    }
  }
}

std::string refusal(const std::string& state, const Taken& taken) {
  return test_support::message_of<StateError>(
      [&] { in_order(20, 4, 1).load_state_dict(state, taken); });
}

TEST(DistributedResume, refuses_what_is_not_its_list_with_both_values) {
  EXPECT_EQ(refusal(in_order(19, 4, 1).state_dict(), taken(1)),
            "the state is of a sampler with length 19, and this one has 20");
  const DistributedSampler shuffled(20, {.num_replicas = 4, .rank = 1, .seed = 6});
  EXPECT_EQ(refusal(shuffled.state_dict(), taken(1)),
            "the state is of a sampler with seed 6, and this one has none");
}

TEST(DistributedResume, refuses_gaps_of_another_process) {
  const Taken gaps = {.within_pass = true, .samples = 2, .has_gaps = true};
  EXPECT_EQ(refusal(in_order(20, 2, 1).state_dict(), gaps),
            "the state is of a sampler with batches taken out of order and num_replicas 2, and "
            "this one has 4");
  EXPECT_EQ(refusal(in_order(20, 4, 0).state_dict(), gaps),
            "the state is of a sampler with batches taken out of order and rank 0, and this one "
            "has 1");
  DistributedSampler same = in_order(20, 4, 1);
  same.load_state_dict(in_order(20, 4, 1).state_dict(), gaps);
  EXPECT_EQ(one_pass(same), (Indices{1, 5, 9, 13, 17})) << "its loader knows what is missing";
}

TEST(DistributedResume, by_who_does_not_say_what_was_taken_needs_as_many) {
  const std::string message = test_support::message_of<StateError>(
      [&] { in_order(20, 4, 1).load_state_dict(in_order(20, 2, 1).state_dict()); });
  EXPECT_EQ(message, "the state is of a sampler with num_replicas 2, and this one has 4");
}

TEST(DistributedResume, trusts_no_number_of_a_state) {
  for (const char* text : {"",
                           "0 0 20 4 1 0 0",
                           "0 0 20 4 1 0 0 0 0",
                           "0 0 20 4 1 0 0 0 ",
                           "2 0 20 4 1 0 0 0",
                           "0 0 20 0 0 0 0 0",
                           "0 0 20 4 4 0 0 0",
                           "0 0 20 4 1 0 21 0",
                           "0 0 20 4 1 0 0 21",
                           "0 0 20 4 1 0 -1 0",
                           "0 0 20 4 1 0 18446744073709551616 0"}) {
    EXPECT_EQ(refusal(text, taken(0)),
              "\"" + std::string(text) + "\" is no state of a distributed sampler");
  }
  EXPECT_EQ(refusal("0 0 20 4 1 0 8 2", taken(6)),
            "the state stopped after 6 samples in each of 4 processes, but had 2 before and a list "
            "that gives each of them 3 more");
  EXPECT_NE(refusal("0 0 20 4 1 0 8 2", taken(1)), "");
  EXPECT_NE(refusal("0 0 20 4 1 0 0 0", taken(UINT64_MAX)), "");
  EXPECT_EQ(shares_behind("0 0 20 18446744073709551615 1 0 0 0", 1, 20, 1).front(), Indices());
}

}  // namespace
}  // namespace forklift
