// SPDX-License-Identifier: MIT
#include "oracle/families.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace oracle {
namespace {

using Number = Combination::Number;
using Name = const char*;

constexpr std::int64_t kLargestSize = 40;
constexpr std::int64_t kPatience = 60;  // seconds that no test takes

std::string draw_take(Dice& dice) {
  const std::int64_t epochs = dice.pick({1, 1, 2, 2, 2, 3});
  std::string take;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    take += (epoch == 0 ? "" : ",") + (dice.chance(60) ? "all" : std::to_string(dice.below(6)));
  }
  return take;
}

std::string all_of(const std::string& take) {
  std::string all;
  for (std::size_t epoch = 0; epoch < parts_of(take).size(); ++epoch) {
    all += epoch == 0 ? "all" : ",all";
  }
  return all;
}

void draw_workers(Dice& dice, Combination& c) {
  if (dice.chance(68)) {  // PyTorch takes long to start and end its workers
    return;
  }
  c.workers = dice.pick({1, 1, 2, 2, 2, 3});
  c.prefetch = dice.chance(40) ? Number() : dice.between(1, 4);
  c.persistent = dice.chance(40) ? 1 : 0;
  c.in_order = dice.chance(85) ? 1 : 0;
  c.timeout = dice.chance(10) ? kPatience : 0;
}

/// What all valid combinations have in common.
Combination draw_use(Dice& dice) {
  Combination c;
  c.size = dice.below(kLargestSize + 1);
  c.batch_size = dice.chance(10) ? Number() : Number(dice.pick({1, 2, 3, 4, 5, 7, 8, 16, 50}));
  c.drop_last = c.batch_size.has_value() && dice.chance(30) ? 1 : 0;
  c.generator = dice.chance(50) ? 1 : 0;
  c.seed = dice.below(1000);
  c.length = dice.chance(40) ? "first" : "last";
  c.take = draw_take(dice);
  draw_workers(dice, c);
  if (c.in_order == 0 && c.workers > 1) {
    c.take = all_of(c.take);
  }
  return c;
}

void draw_sampler_generator(Dice& dice, Combination& c) {
  c.sampler_generator = dice.pick<Name>({"none", "own", "shared"});
  if (c.sampler_generator == "shared") {
    c.generator = 1;
  }
}

void draw_random_options(Dice& dice, Combination& c) {
  c.samples = dice.chance(40) ? Number() : dice.between(1, 2 * c.size + 1);
  c.replacement = dice.chance(40) ? 1 : 0;
  if (c.size == 0) {  // fails as soon as it is asked
    c.persistent = 0;
    c.take = all_of(c.take);
  }
}

void draw_weighted_options(Dice& dice, Combination& c) {
  c.replacement = dice.chance(50) ? 1 : 0;
  c.samples = dice.between(1, c.replacement != 0 || dice.chance(10) ? c.size + 5 : c.size + 1);
  if (c.take.starts_with('0')) {
    c.take.front() = '1';  // PyTorch does not look at the weights before
  }
}

void draw_distributed_options(Dice& dice, Combination& c) {
  c.ranks = dice.between(1, 5);
  c.rank = dice.below(c.ranks);
  c.rank_shuffle = dice.below(2);
  c.rank_drop = dice.below(2);
  c.set_epoch = dice.below(2);
}

std::string draw_fail(Dice& dice, std::int64_t size) {
  std::string fail;
  for (std::int64_t left = dice.between(1, 4); left > 0; --left) {
    fail += (fail.empty() ? "" : ",") + std::to_string(dice.below(size + 1));
  }
  return fail;
}

}  // namespace

Combination draw_map_style(Dice& dice) {
  Combination c = draw_use(dice);
  c.dataset = dice.pick<Name>(
      {"plain",   "plain",   "plain",   "bulk",  "narrow",      "doubles",  "floats",
       "bools",   "rows",    "strings", "lists", "pairs",       "records",  "words",
       "maps",    "missing", "ragged",  "mixed", "drawn",       "collated", "stack",
       "tensors", "concat",  "subset",  "split", "bulk_subset", "drawn",    "split_lengths"});
  c.shuffle = dice.below(2);
  if (c.dataset == "drawn") {
    c.in_order = 1;
    c.take = c.persistent != 0 ? all_of(c.take) : c.take;
  } else if (c.dataset == "mixed") {  // what PyTorch makes of these differs with workers
    c.workers = c.persistent = c.timeout = 0;
    c.in_order = 1;
    c.prefetch.reset();
  } else if (c.dataset == "collated" && !c.batch_size.has_value()) {
    c.batch_size = 3;
  }
  return c;
}

Combination draw_sampler(Dice& dice) {
  Combination c = draw_use(dice);
  c.sampler = dice.pick<Name>({"sequential",
                               "random",
                               "random",
                               "random",
                               "subset",
                               "weighted",
                               "weighted",
                               "distributed",
                               "distributed",
                               "list",
                               "without_length",
                               "throws"});
  draw_sampler_generator(dice, c);
  if (c.sampler == "random") {
    draw_random_options(dice, c);
  } else if (c.sampler == "weighted") {
    draw_weighted_options(dice, c);
  } else if (c.sampler == "distributed") {
    draw_distributed_options(dice, c);
  } else if (c.sampler == "throws") {
    c.persistent = 0;
  }
  return c;
}

Combination draw_batch_sampler(Dice& dice) {
  Combination c = draw_use(dice);
  c.batch_size = 1;
  c.drop_last = 0;
  c.batch_sampler =
      dice.pick<Name>({"lists", "without_length", "empty_list", "random", "random", "dropping"});
  if (c.batch_sampler == "random") {
    draw_sampler_generator(dice, c);
    draw_random_options(dice, c);
  }
  return c;
}

Combination draw_stream(Dice& dice) {
  Combination c = draw_use(dice);
  c.dataset = dice.pick<Name>(
      {"stream", "sharded", "sharded", "uneven", "uneven", "range", "chain", "no_start"});
  c.claims = dice.chance(50) ? Number() : dice.below(20);
  if (c.dataset == "no_start") {
    c.persistent = 0;
  } else if (c.dataset != "chain" && dice.chance(25)) {
    c.fail = draw_fail(dice, c.size);
  }
  return c;
}

Combination draw_failing(Dice& dice) {
  Combination c = draw_use(dice);
  c.dataset = dice.pick<Name>({"plain", "plain", "bulk"});
  c.shuffle = c.size > 0 ? dice.below(2) : 0;
  if (c.workers > 0 && dice.chance(25)) {
    c.init = "throws";
    c.persistent = 0;
  } else {
    c.fail = draw_fail(dice, c.size);
  }
  return c;
}

Combination draw_refused(Dice& dice) {
  Combination c;
  c.dataset = dice.pick<Name>({"plain", "plain", "bulk", "sharded"});
  c.size = dice.pick({0, 3, 5, 5});
  c.batch_size = dice.chance(10) ? Number() : Number(dice.pick({-2, 0, 1, 1, 1, 3}));
  c.shuffle = dice.chance(35) ? 1 : 0;
  c.sampler = dice.chance(25) ? "sequential" : "";
  c.batch_sampler = dice.chance(25) ? "lists" : "";
  c.workers = dice.pick({-1, 0, 0, 0, 0, 1, 1, 2});
  c.drop_last = dice.chance(25) ? 1 : 0;
  c.timeout = dice.pick<std::int64_t>({-3, 0, 0, 0, 0, kPatience});
  c.prefetch = dice.chance(60) ? Number() : Number(dice.pick({-1, 0, 2}));
  c.persistent = dice.chance(20) ? 1 : 0;
  c.generator = dice.below(2);
  c.seed = dice.below(1000);
  c.take = "2";
  return c;
}

Combination draw_refused_part(Dice& dice) {
  Combination c;
  c.size = dice.between(1, 12);
  c.batch_size = dice.between(1, 4);
  c.seed = dice.below(1000);
  if (dice.chance(40)) {
    c.dataset = dice.pick<Name>(
        {"bad_tensors", "bad_stack", "no_concat", "bad_subset", "bad_split", "bad_fractions"});
    return c;
  }
  c.sampler = dice.pick<Name>({"random", "weighted", "weighted", "weighted", "distributed"});
  if (c.sampler == "random") {
    c.samples = dice.between(-2, 0);
  } else if (c.sampler == "weighted") {
    c.samples = dice.between(0, 3);
    c.weights = dice.pick<Name>({"negative", "infinite", "nan", "zero"});
    c.replacement = dice.below(2);
  } else {
    c.ranks = dice.between(1, 4);
    c.rank = dice.pick({std::int64_t{-1}, c.ranks, c.ranks + 2});
  }
  return c;
}

}  // namespace oracle
