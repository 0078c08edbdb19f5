// SPDX-License-Identifier: MIT
// state_dict() and load_state_dict(): what a state counts, what it refuses, what it does not read
// again. Semantics 8.1, 8.3 and 8.4.
#include "support/resume.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::joined;
using test_support::Numbers;
using test_support::numbers;
using test_support::refusal;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::take;
using test_support::Values;

class Resume : public test_support::LeavesNothing {};

DataLoaderOptions shuffled(int num_workers) {
  return {.batch_size = 3,
          .shuffle = true,
          .num_workers = num_workers,
          .generator = Generator(5),
          .on_warning = [](std::string_view) {}};
}

TEST_F(Resume, of_another_kind_of_loader_is_refused_with_both_values) {
  DataLoader saved(numbers(20), shuffled(0));
  take(saved, 2);
  const StateDict state = saved.state_dict();

  DataLoader shorter(numbers(19), shuffled(0));
  EXPECT_EQ(refusal(shorter, state),
            "the state is of a loader with dataset length 20, and this one has 19");
  DataLoader in_order(numbers(20), {.batch_size = 3, .generator = Generator(5)});
  EXPECT_EQ(refusal(in_order, state),
            "the state is of a loader with sampler forklift::RandomSampler, and this one has "
            "forklift::SequentialSampler");
  DataLoaderOptions options = shuffled(0);
  options.generator = Generator(6);
  DataLoader other_seed(numbers(20), options);
  EXPECT_EQ(refusal(other_seed, state),
            "the state is of a loader with generator seed 5, and this one has 6");
  options.generator.reset();
  DataLoader no_generator(numbers(20), options);
  EXPECT_EQ(refusal(no_generator, state),
            "the state is of a loader with generator seed 5, and this one has none");
  DataLoader stream(Sharded({20}));
  EXPECT_EQ(refusal(stream, state),
            "the state is of a loader with a dataset that is map-style, and this one has iterable");
}

TEST_F(Resume, reads_nothing_of_a_map_style_dataset_again) {
  const SharedCount reads;
  const auto counting = [&reads](std::size_t index) {
    ++reads.value();
    return test_support::identity(index);
  };
  DataLoader saved(Numbers(300, counting), shuffled(0));
  take(saved, 90);
  const StateDict state = saved.state_dict();
  for (const int num_workers : {0, 2}) {
    reads.value() = 0;
    DataLoader loader(Numbers(300, counting), shuffled(num_workers));
    loader.load_state_dict(state);
    EXPECT_EQ(take(loader).size(), 30U);
    EXPECT_EQ(reads.value(), 30);
  }
}

TEST_F(Resume, counts_a_batch_with_an_error_as_taken) {
  const auto bad_at_four = [](std::size_t index) {
    return index == 4 ? throw std::runtime_error("bad") : test_support::identity(index);
  };
  for (const int num_workers : {0, 2}) {
    DataLoader saved(Numbers(9, bad_at_four), {.batch_size = 3, .num_workers = num_workers});
    auto batch = saved.begin();
    EXPECT_TRUE(batch != saved.end());
    ++batch;
    EXPECT_THROW(static_cast<void>(batch == saved.end()), WorkerError);
    DataLoader loader(Numbers(9, bad_at_four), {.batch_size = 3});
    loader.load_state_dict(saved.state_dict());
    EXPECT_EQ(take(loader), (Values{6, 7, 8}));
  }
}

TEST_F(Resume, goes_on_behind_a_death_with_nothing_lost) {
  const SharedCount dies;
  dies.value() = 1;
  const auto dies_once = [&dies](std::size_t index) {
    if (index == 7 && dies.value().exchange(0) == 1) {
      std::_Exit(1);
    }
    return test_support::identity(index);
  };
  DataLoader saved(Numbers(20, dies_once), {.batch_size = 2, .num_workers = 2});
  Values values;
  try {
    for (auto& batch : saved) {
      values.push_back(batch.data<std::int64_t>()[0]);
      values.push_back(batch.data<std::int64_t>()[1]);
    }
    FAIL() << "the death was not told";
  } catch (const WorkerDied&) {
    DataLoader loader(Numbers(20, dies_once), {.batch_size = 2, .num_workers = 1});
    loader.load_state_dict(saved.state_dict());
    EXPECT_EQ(joined(values, take(loader)), test_support::first_n(20));
  }
}

TEST_F(Resume, out_of_order_gives_each_sample_once) {
  for (int round = 0; round < 20; ++round) {
    const SharedCount taken;
    // The batches of the first worker are late, so that some are taken before their turn.
    const auto late = [&taken, round](std::size_t index) {
      while (index < 4 && taken.value() < round % 5) {
        std::this_thread::yield();
      }
      return test_support::identity(index);
    };
    DataLoaderOptions options{
        .batch_size = 4, .num_workers = 2, .prefetch_factor = 4, .in_order = false};
    DataLoader saved(Numbers(60, late), options);
    Values values;
    for (auto& batch : saved) {
      const auto data = batch.data<std::int64_t>();
      values.insert(values.end(), data.begin(), data.end());
      if (++taken.value() == 5) {
        break;
      }
    }
    const StateDict state = StateDict::from_json(saved.state_dict().to_json());
    for (const bool in_order : {false, true}) {
      options.in_order = in_order;
      options.num_workers = 1 + round % 3;
      options.on_warning = [](std::string_view) {};
      DataLoader loader(Numbers(60, test_support::identity), options);
      loader.load_state_dict(state);
      Values all = joined(values, take(loader));
      std::ranges::sort(all);
      EXPECT_EQ(all, test_support::first_n(60));
    }
    if (!state.snapshot().pass->missing.empty()) {
      options.batch_size = 5;
      DataLoader other(Numbers(60, test_support::identity), options);
      EXPECT_NE(refusal(other, state).find("batch_size 4, and this one has 5"), std::string::npos);
    }
  }
}

TEST_F(Resume, restores_the_seeds_of_the_workers) {
  class Seeds {
   public:
    std::size_t size() const { return 8; }
    std::int64_t get(std::size_t /*index*/) const {
      return static_cast<std::int64_t>(get_worker_info()->seed);
    }
  };
  for (const bool persistent : {false, true}) {
    DataLoaderOptions options = shuffled(2);
    options.persistent_workers = persistent;
    DataLoader saved(Seeds{}, options);
    take(saved);
    const Values first = take(saved, 1);
    options.generator = Generator(5);
    DataLoader loader(Seeds{}, options);
    take(loader, 1);  // has workers of its own already, with other seeds
    loader.load_state_dict(saved.state_dict());
    const Values rest = take(loader);
    EXPECT_EQ(rest.size(), 5U);
    EXPECT_EQ(rest.front(), first.front() + 1);  // the second worker's turn
    EXPECT_EQ(rest.back(), first.front());
  }
}

// The default generator stands elsewhere when the second loader begins: the program's to restore.
TEST_F(Resume, ends_a_pass_that_drew_from_the_default_generator_as_it_began) {
  const std::vector<AnySampler> samplers = {
      AnySampler(),
      RandomSampler(40, {.replacement = true}),
      SubsetRandomSampler(std::vector<std::size_t>{3, 1, 4, 15, 9, 2, 6, 5, 35, 8}),
      WeightedRandomSampler(std::vector<double>(40, 1.0), 25),
      BlockRandomSampler(40)};
  for (const AnySampler& sampler : samplers) {
    DataLoaderOptions options{.batch_size = 3, .num_workers = 2};
    options.shuffle = !sampler;
    options.sampler = sampler;
    manual_seed(1);
    DataLoader whole(numbers(40), options);
    const Values expected = take(whole);
    manual_seed(1);
    DataLoader saved(numbers(40), options);
    const Values first = take(saved, 1);
    const std::string state = saved.state_dict().to_json();

    manual_seed(2);
    options.num_workers = 0;
    DataLoader second(numbers(40), options);
    second.load_state_dict(StateDict::from_json(state));
    const Values next = take(second, 1);
    EXPECT_EQ(default_generator().random63(), Generator(2).random63());  // nothing was drawn
    DataLoader third(numbers(40), options);
    third.load_state_dict(second.state_dict());
    EXPECT_EQ(joined(joined(first, next), take(third)), expected);
  }
}

TEST_F(Resume, does_not_grow_with_the_dataset) {
  const auto state_of = [](std::size_t count) {
    DataLoader loader(numbers(count), shuffled(0));
    take(loader, 2);
    return loader.state_dict().to_json().size();
  };
  EXPECT_LE(state_of(1'000'000), state_of(10) + 20);
}

TEST_F(Resume, between_and_before_passes) {
  DataLoader whole(numbers(10), shuffled(0));
  const Values first = take(whole);
  const Values second = take(whole);
  DataLoader saved(numbers(10), shuffled(0));
  const StateDict fresh = saved.state_dict();
  EXPECT_EQ(take(saved), first);
  const StateDict after_one = saved.state_dict();

  DataLoader loader(numbers(10), shuffled(2));
  take(loader, 2);
  loader.load_state_dict(after_one);
  EXPECT_EQ(take(loader), second);
  loader.load_state_dict(fresh);
  EXPECT_EQ(take(loader), first);
  EXPECT_EQ(take(loader), second);
  loader.load_state_dict(after_one);
  loader.load_state_dict(fresh);  // the last one counts
  EXPECT_EQ(take(loader), first);
}

TEST_F(Resume, takes_the_name_of_its_own_epoch_only) {
  DataLoader saved(numbers(10), shuffled(0));
  saved.set_epoch(7);
  const Values begun = take(saved, 1);
  const StateDict state = saved.state_dict();
  EXPECT_EQ(state.snapshot().pass->epoch, 7U);
  DataLoader loader(numbers(10), shuffled(0));
  loader.load_state_dict(state);
  const std::string message = test_support::message_of<StateError>([&] { loader.set_epoch(8); });
  EXPECT_NE(message.find("stopped within epoch 7, and set_epoch(8) would leave out the rest"),
            std::string::npos)
      << message;
  loader.set_epoch(7);
  EXPECT_EQ(joined(begun, take(loader)).size(), 10U);
  loader.set_epoch(8);
}

TEST_F(Resume, of_a_state_whose_generator_is_none_changes_nothing) {
  DataLoader saved(numbers(10), shuffled(0));
  take(saved, 2);
  DataLoader loader(numbers(10), shuffled(0));
  take(loader, 1);
  detail::LoaderSnapshot snapshot = saved.state_dict().snapshot();
  snapshot.generator->at(12) = 9;
  EXPECT_NE(refusal(loader, StateDict(snapshot)).find("holds no generator's state"),
            std::string::npos);
  snapshot = saved.state_dict().snapshot();
  snapshot.sampler_state.pop_back();
  EXPECT_NE(refusal(loader, StateDict(snapshot)).find("10112 hexadecimal digits, but has 10111"),
            std::string::npos);
  EXPECT_EQ(take(loader), take(saved));  // the epochs of both go on from the same place
}

TEST_F(Resume, of_a_state_that_says_more_than_the_sampler_gives_is_an_error) {
  DataLoader saved(numbers(10), shuffled(0));
  take(saved, 2);
  detail::LoaderSnapshot snapshot = saved.state_dict().snapshot();
  snapshot.pass->samples = 1'000'000;
  DataLoader loader(numbers(10), shuffled(0));
  loader.load_state_dict(StateDict(snapshot));
  const std::string message = test_support::message_of<StateError>([&] { take(loader); });
  EXPECT_EQ(message, "the state stopped after 1000000 samples, but this sampler gives 10");
}

}  // namespace
}  // namespace forklift
