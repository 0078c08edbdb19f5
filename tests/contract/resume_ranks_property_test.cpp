// SPDX-License-Identifier: MIT
// Stop all processes of a job, go on with more or fewer of them, and again: together they take
// every sample once, in the order of one process that takes them all.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/augmented.hpp"
#include "support/dice.hpp"
#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Augmented;
using test_support::Dice;
using test_support::Values;
using Loader = DataLoader<Augmented>;

// A job between two changes of its number of processes.
struct Leg {
  std::size_t num_replicas = 1;
  std::size_t batch_size = 1;
  std::size_t num_workers = 0;
  bool drop_last = false;
  std::size_t batches = 0;  // taken by each process
  std::size_t saver = 0;    // whose state it is
};

enum class Kind { kInOrder, kShuffled, kDrawn, kDrawnOnce };

struct Draw {
  std::size_t size = 1;
  Kind kind = Kind::kInOrder;
  std::size_t seed = 0;
  std::size_t epoch = 0;
  std::array<Leg, 3> legs;

  [[nodiscard]] std::string text() const {
    std::string text = "size " + std::to_string(size) + ", kind " +
                       std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed) +
                       ", epoch " + std::to_string(epoch);
    for (const Leg& leg : legs) {
      text += "; " + std::to_string(leg.num_replicas) + " processes, batch_size " +
              std::to_string(leg.batch_size) + ", workers " + std::to_string(leg.num_workers) +
              ", drop_last " + std::to_string(static_cast<int>(leg.drop_last)) + ", " +
              std::to_string(leg.batches) + " batches, state of " + std::to_string(leg.saver);
    }
    return text;
  }
};

std::size_t below(Dice& dice, int end) {
  return static_cast<std::size_t>(dice.below(end));
}

Draw roll(Dice& dice) {
  Draw draw;
  draw.size = 1 + below(dice, 40);
  draw.kind = static_cast<Kind>(dice.below(4));
  draw.seed = below(dice, 1000);
  draw.epoch = below(dice, 3);
  const bool drop_last = dice.below(3) == 0;
  for (Leg& leg : draw.legs) {
    leg.num_replicas = 1 + below(dice, 5);
    leg.batch_size = 1 + below(dice, 4);
    leg.num_workers = dice.below(5) == 0 ? 1 + below(dice, 2) : 0;
    leg.drop_last = drop_last;
    leg.batches = below(dice, 8);
    leg.saver = below(dice, static_cast<int>(leg.num_replicas));
  }
  return draw;
}

Loader make_loader(const Draw& draw, const Leg& leg, std::size_t rank) {
  DataLoaderOptions options{.batch_size = leg.batch_size,
                            .num_workers = leg.num_workers,
                            .generator = Generator(draw.seed),
                            .on_warning = [](std::string_view) {}};
  if (draw.kind == Kind::kDrawn || draw.kind == Kind::kDrawnOnce) {
    options.sampler = DistributedWeightedSampler(std::vector<double>(draw.size, 0.5),
                                                 draw.size,
                                                 {.num_replicas = leg.num_replicas,
                                                  .rank = rank,
                                                  .replacement = draw.kind == Kind::kDrawn,
                                                  .seed = draw.seed,
                                                  .drop_last = leg.drop_last});
  } else {
    options.sampler = DistributedSampler(draw.size,
                                         {.num_replicas = leg.num_replicas,
                                          .rank = rank,
                                          .shuffle = draw.kind == Kind::kShuffled,
                                          .seed = draw.seed,
                                          .drop_last = leg.drop_last});
  }
  Loader loader(Augmented(draw.size), options);
  loader.set_epoch(draw.epoch);
  return loader;
}

// The numbers of at most so many batches; not asked for its end where there are more.
Values take(Loader& loader, std::size_t most = SIZE_MAX) {
  Values values;
  auto batch = loader.begin();
  for (; most > 0 && batch != loader.end(); ++batch, --most) {
    const auto data = (*batch).data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
  }
  return values;
}

// What all processes have taken, in the order of the list.
Values in_turns(const std::vector<Values>& shares) {
  Values all;
  for (std::size_t i = 0; i < shares.front().size(); ++i) {
    for (const Values& share : shares) {
      all.push_back(share.at(i));
    }
  }
  return all;
}

// Batches that a leg can take of `left` samples without being told that there are no more.
std::size_t batches_of(const Leg& leg, std::size_t left) {
  const std::size_t each = (left + (leg.drop_last ? 0 : leg.num_replicas - 1)) / leg.num_replicas;
  return std::min(leg.batches, (each + leg.batch_size - 1) / leg.batch_size);
}

// What is `left` of a pass behind `state`, which is replaced by the state where the leg stopped.
// The last leg takes all, and then the pass after it goes to `next`.
Values run(const Draw& draw, std::size_t at, std::size_t left, std::string& state, Values& next) {
  const Leg& leg = draw.legs.at(at);
  const bool is_last = at + 1 == draw.legs.size();
  const std::size_t batches = is_last ? SIZE_MAX : batches_of(leg, left);
  std::vector<Values> shares;
  std::vector<Values> shares_after;
  std::string saved;
  for (std::size_t rank = 0; rank < leg.num_replicas; ++rank) {
    Loader loader = make_loader(draw, leg, rank);
    if (!state.empty()) {
      loader.load_state_dict(StateDict::from_json(state));
      EXPECT_EQ(loader.state_dict().to_json(), state) << draw.text();
    }
    shares.push_back(take(loader, batches));
    EXPECT_EQ(shares.back().size(), shares.front().size()) << draw.text();
    if (rank == leg.saver) {
      saved = loader.state_dict().to_json();
    }
    if (is_last) {
      loader.set_epoch(draw.epoch + 1);
      shares_after.push_back(take(loader));
    }
  }
  state = saved;
  if (is_last) {
    next = in_turns(shares_after);
  }
  return in_turns(shares);
}

// Equal but for the random numbers of draws that may repeat, which are counted in each process.
bool is_same(const Draw& draw, std::int64_t value, std::int64_t expected) {
  return draw.kind == Kind::kDrawn ? value / 1000 == expected / 1000 : value == expected;
}

// `all` is the list, of which at most the end was dropped or the front came again, each for less
// than one sample in a process of the leg that came to the end.
void expect_each_once(const Draw& draw, const Values& all, const Values& list, const Leg& leg) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_TRUE(is_same(draw, all[i], list.at(i % list.size())))
        << "place " << i << ": " << all[i] << "; " << draw.text();
  }
  if (leg.drop_last) {
    EXPECT_LE(all.size(), list.size()) << draw.text();
    EXPECT_GT(all.size() + leg.num_replicas, list.size()) << draw.text();
  } else {
    EXPECT_GE(all.size(), list.size()) << draw.text();
    EXPECT_LT(all.size(), list.size() + leg.num_replicas) << draw.text();
  }
}

void expect_no_seam(const Draw& draw) {
  Loader alone = make_loader(draw, {.num_replicas = 1}, 0);
  const Values list = take(alone);
  alone.set_epoch(draw.epoch + 1);
  const Values list_after = take(alone);
  ASSERT_EQ(list.size(), draw.size) << draw.text();

  Values all;
  Values next;
  std::string state;
  const Leg* at_the_end = &draw.legs.back();
  for (std::size_t at = 0; at < draw.legs.size(); ++at) {
    const std::size_t left = list.size() - std::min(list.size(), all.size());
    const Values part = run(draw, at, left, state, next);
    EXPECT_TRUE(part.empty() || left > 0) << "came again; " << draw.text();
    if (!part.empty()) {
      at_the_end = &draw.legs.at(at);
    }
    all.insert(all.end(), part.begin(), part.end());
  }
  const Leg& last = draw.legs.back();
  expect_each_once(draw, all, list, all.size() < list.size() ? last : *at_the_end);
  expect_each_once(draw, next, list_after, last);
}

class ResumeRanksProperty : public test_support::LeavesNothing {};

TEST_F(ResumeRanksProperty, all_together_take_each_sample_once) {
  Dice dice;
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    expect_no_seam(roll(dice));
  }
}

}  // namespace
}  // namespace forklift
