// SPDX-License-Identifier: MIT
// Loaders of a job of several processes that goes on with more or fewer of them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::joined;
using test_support::Numbers;
using test_support::numbers;
using test_support::refusal;
using test_support::SharedCount;
using test_support::take;
using test_support::Values;

class ResumeRanks : public test_support::LeavesNothing {};

struct Part {
  int num_replicas = 1;
  int rank = 0;
  std::uint64_t seed = 5;
};

DataLoaderOptions options_of(const Part& part, int batch_size, int num_workers) {
  return {.batch_size = batch_size,
          .sampler = DistributedSampler(
              24, {.num_replicas = part.num_replicas, .rank = part.rank, .seed = part.seed}),
          .num_workers = num_workers,
          .on_warning = [](std::string_view) {}};
}

DataLoader<Numbers> loader_of(const Part& part, int batch_size = 2, int num_workers = 0) {
  return DataLoader(numbers(24), options_of(part, batch_size, num_workers));
}

// All that the epoch's permutation holds, in its order.
Values whole_epoch(std::size_t epoch) {
  auto loader = loader_of({});
  loader.set_epoch(epoch);
  return take(loader);
}

Values part_of(const Values& list, std::size_t first, std::size_t step) {
  Values part;
  for (; first < list.size(); first += step) {
    part.push_back(list[first]);
  }
  return part;
}

TEST_F(ResumeRanks, share_what_is_left_with_other_batches_and_workers) {
  const Values list = whole_epoch(3);
  for (const int num_workers : {0, 2}) {
    auto saved = loader_of({.num_replicas = 2, .rank = 1}, 3, num_workers);
    saved.set_epoch(3);
    EXPECT_EQ(take(saved, 2), (Values{list[1], list[3], list[5], list[7], list[9], list[11]}));
    const std::string state = saved.state_dict().to_json();
    for (int rank = 0; rank < 4; ++rank) {
      auto loader = loader_of({.num_replicas = 4, .rank = rank}, 2, 2 - num_workers);
      loader.load_state_dict(StateDict::from_json(state));
      const auto first = static_cast<std::size_t>(rank);
      EXPECT_EQ(take(loader), part_of(list, 12 + first, 4));
      loader.set_epoch(4);
      EXPECT_EQ(take(loader), part_of(whole_epoch(4), first, 4)) << "whole passes come after it";
    }
  }
}

TEST_F(ResumeRanks, that_were_changed_within_a_pass_can_change_again) {
  const Values list = whole_epoch(0);
  auto first = loader_of({.num_replicas = 3, .rank = 2}, 2);
  take(first, 2);  // 12 by all of them
  auto second = loader_of({.num_replicas = 2, .rank = 0}, 4, 1);
  second.load_state_dict(first.state_dict());
  EXPECT_EQ(take(second, 1), (Values{list[12], list[14], list[16], list[18]}));
  auto third = loader_of({}, 5);
  third.load_state_dict(second.state_dict());
  EXPECT_EQ(take(third), (Values{list[20], list[21], list[22], list[23]}));
  EXPECT_EQ(take(third), list);
}

TEST_F(ResumeRanks, may_take_one_another_s_state) {
  const Values list = whole_epoch(0);
  auto saved = loader_of({.num_replicas = 2, .rank = 0});
  take(saved, 3);
  auto other = loader_of({.num_replicas = 2, .rank = 1});
  other.load_state_dict(saved.state_dict());
  EXPECT_EQ(take(other), part_of(list, 13, 2));
}

TEST_F(ResumeRanks, need_the_same_seed) {
  auto saved = loader_of({.num_replicas = 2, .rank = 0});
  take(saved, 1);
  auto loader = loader_of({.num_replicas = 3, .rank = 0, .seed = 6});
  EXPECT_EQ(refusal(loader, saved.state_dict()),
            "the state is of a sampler with seed 5, and this one has 6");
}

TEST_F(ResumeRanks, start_afresh_behind_a_state_that_was_loaded_and_not_used) {
  auto saved = loader_of({.num_replicas = 2, .rank = 0});
  take(saved, 1);
  auto loader = loader_of({.num_replicas = 3, .rank = 0});
  loader.load_state_dict(saved.state_dict());
  loader.load_state_dict(StateDict());
  EXPECT_EQ(take(loader), part_of(whole_epoch(0), 0, 3));
}

// Goes on from `from` and takes three batches out of order; that of the sample `held` waits.
StateDict overtaken(Values& values,
                    const Part& part,
                    int batch_size,
                    std::int64_t held,
                    const StateDict& from = StateDict()) {
  const SharedCount taken;
  DataLoaderOptions options = options_of(part, batch_size, 2);
  options.in_order = false;
  DataLoader loader(Numbers(24,
                            [&taken, held](std::size_t index) {
                              const auto value = test_support::identity(index);
                              while (value == held && taken.value() < 3) {
                                std::this_thread::yield();
                              }
                              return value;
                            }),
                    options);
  loader.load_state_dict(from);
  for (auto& batch : loader) {
    const auto data = batch.data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
    if (++taken.value() == 3) {
      break;
    }
  }
  return loader.state_dict();
}

TEST_F(ResumeRanks, that_took_batches_out_of_order_cannot_change) {
  Values values;
  const StateDict state = overtaken(values, {.num_replicas = 2, .rank = 1}, 2, whole_epoch(0)[1]);
  auto more = loader_of({.num_replicas = 3, .rank = 1});
  EXPECT_EQ(refusal(more, state),
            "the state is of a sampler with batches taken out of order and num_replicas 2, and "
            "this one has 3");
  auto other = loader_of({.num_replicas = 2, .rank = 0});
  EXPECT_EQ(refusal(other, state),
            "the state is of a sampler with batches taken out of order and rank 1, and this one "
            "has 0");
  auto same = loader_of({.num_replicas = 2, .rank = 1});
  same.load_state_dict(state);
  Values all = joined(values, take(same));
  Values expected = part_of(whole_epoch(0), 1, 2);
  std::ranges::sort(all);
  std::ranges::sort(expected);
  EXPECT_EQ(all, expected);
}

TEST_F(ResumeRanks, behind_a_change_may_take_batches_out_of_order) {
  const Values list = whole_epoch(0);
  auto first = loader_of({.num_replicas = 3, .rank = 0}, 4);
  take(first, 1);  // 12 by all of them
  const Part part = {.num_replicas = 2, .rank = 1};
  Values values;
  const StateDict state = overtaken(values, part, 1, list[13], first.state_dict());
  EXPECT_FALSE(state.snapshot().pass->missing.empty());
  auto second = loader_of(part, 1);
  second.load_state_dict(StateDict::from_json(state.to_json()));
  values = joined(values, take(second));
  Values expected = part_of(list, 13, 2);
  std::ranges::sort(values);
  std::ranges::sort(expected);
  EXPECT_EQ(values, expected);
}

// A sampler of the user's that hands on what the other one says, and knows of no other processes.
class Wrapped {
 public:
  explicit Wrapped(const DistributedSampler& sampler) : sampler_(sampler) {}
  DistributedSampler::Cursor iterate() { return sampler_.iterate(); }
  std::string state_dict() const { return sampler_.state_dict(); }
  void load_state_dict(const std::string& state) { sampler_.load_state_dict(state); }

 private:
  DistributedSampler sampler_;
};

TEST_F(ResumeRanks, cannot_change_behind_a_sampler_that_does_not_hand_on_what_was_taken) {
  const auto make = [](int num_replicas) {
    return DataLoader(
        numbers(24),
        {.batch_size = 2,
         .sampler = Wrapped(DistributedSampler(24, {.num_replicas = num_replicas, .rank = 0}))});
  };
  auto saved = make(2);
  const Values values = take(saved, 2);
  auto same = make(2);
  same.load_state_dict(saved.state_dict());
  const Values rest = take(same);
  EXPECT_EQ(joined(values, rest), take(same));
  auto more = make(3);
  EXPECT_EQ(refusal(more, saved.state_dict()),
            "the state is of a sampler with num_replicas 2, and this one has 3");
}

}  // namespace
}  // namespace forklift
