// SPDX-License-Identifier: MIT
// pytorch/data test/stateful_dataloader/test_state_dict.py: loaders that stop and go on. Semantics
// 3.2, 8.1, 8.2, 8.3, 8.4, 8.5 and 8.6. The whole run and the two halves joined are compared all
// over the place in ResumeProperty and GoldenResume; these are upstream's own cases.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/no_seam.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::expect_no_seam;
using test_support::joined;
using test_support::Kept;
using test_support::Numbers;
using test_support::numbers;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::take;
using test_support::Values;
using TestSnapshotZero = test_support::LeavesNothing;
using TestSnapshotEnd = test_support::LeavesNothing;
using TestNumWorkersMismatch = test_support::LeavesNothing;
using TestConcurrentDataLoaders = test_support::LeavesNothing;
using TestFastStateDictRequest = test_support::LeavesNothing;
using TestJsonSerDe = test_support::LeavesNothing;
using TestInitialState = test_support::LeavesNothing;
using TestDynamicState = test_support::LeavesNothing;
using TestDatasetIteratorStateDuplication = test_support::LeavesNothing;
using TestSingleIterCalled = test_support::LeavesNothing;
using TestOutOfOrderWithCheckpointing = test_support::LeavesNothing;
using TestMultiEpochSDL = test_support::LeavesNothing;

TEST_F(TestSnapshotZero, is_the_whole_pass_again) {
  for (const int num_workers : {0, 2}) {
    DataLoader saved(numbers(20), {.batch_size = 3, .num_workers = num_workers});
    const StateDict before = saved.state_dict();
    const Values all = take(saved);
    DataLoader loader(numbers(20), {.batch_size = 3, .num_workers = num_workers});
    loader.load_state_dict(before);
    EXPECT_EQ(take(loader), all);
  }
}

TEST_F(TestSnapshotZero, interrupted_twice) {
  for (const int num_workers : {0, 2}) {
    const DataLoaderOptions options{.batch_size = 3, .num_workers = num_workers};
    DataLoader first(numbers(20), options);
    const Values begun = take(first, 2);
    DataLoader second(numbers(20), options);
    second.load_state_dict(first.state_dict());
    const Values more = take(second, 2);
    DataLoader third(numbers(20), options);
    third.load_state_dict(second.state_dict());
    EXPECT_EQ(joined(joined(begun, more), take(third)), test_support::first_n(20));
  }
}

TEST_F(TestSnapshotEnd, inside_the_loop_leaves_an_empty_rest_and_behind_it_a_whole_pass) {
  for (const int num_workers : {0, 2}) {
    const auto make = [&] {
      return DataLoader(numbers(6), {.batch_size = 2, .num_workers = num_workers});
    };
    auto inside = make();
    EXPECT_EQ(take(inside, 3).size(), 6U);
    auto behind = make();
    EXPECT_EQ(take(behind).size(), 6U);

    auto loader = make();
    loader.load_state_dict(inside.state_dict());
    EXPECT_EQ(take(loader), Values());
    EXPECT_EQ(take(loader), test_support::first_n(6));
    loader.load_state_dict(behind.state_dict());
    EXPECT_EQ(take(loader), test_support::first_n(6));
  }
}

TEST_F(TestMultiEpochSDL, goes_on_with_the_epochs_after_the_one_it_stopped_in) {
  for (const int num_workers : {0, 2}) {
    const auto make = [&] {
      return DataLoader(numbers(20),
                        {.batch_size = 3,
                         .shuffle = true,
                         .num_workers = num_workers,
                         .generator = Generator(3)});
    };
    auto whole = make();
    std::vector<Values> epochs;
    for (int epoch = 0; epoch < 4; ++epoch) {
      epochs.push_back(take(whole));
    }
    auto saved = make();
    EXPECT_EQ(take(saved), epochs[0]);
    const Values begun = take(saved, 2);
    auto loader = make();
    loader.load_state_dict(saved.state_dict());
    EXPECT_EQ(joined(begun, take(loader)), epochs[1]);
    EXPECT_EQ(take(loader), epochs[2]);
    EXPECT_EQ(take(loader), epochs[3]);
  }
}

// Upstream refuses every other number of workers; here the streams are read by turns.
TEST_F(TestNumWorkersMismatch, goes_on_with_any_number_of_workers) {
  for (const auto& [before, after] : {std::pair{0, 3}, {3, 0}, {3, 1}}) {
    const auto options = [](int num_workers) {
      return DataLoaderOptions{.num_workers = num_workers, .on_warning = [](std::string_view) {}};
    };
    DataLoader whole(Sharded({5, 2, 4}), options(before));
    DataLoader saved(Sharded({5, 2, 4}), options(before));
    const Values taken = take(saved, 2);
    DataLoader loader(Sharded({5, 2, 4}), options(after));
    loader.load_state_dict(saved.state_dict());
    EXPECT_EQ(joined(taken, take(loader)), take(whole));

    DataLoader map_style(numbers(9), options(before));
    const Values begun = take(map_style, 2);
    DataLoader other(numbers(9), options(after));
    other.load_state_dict(map_style.state_dict());
    EXPECT_EQ(joined(begun, take(other)), test_support::first_n(9));
  }
}

TEST_F(TestConcurrentDataLoaders, go_on_each_by_itself) {
  DataLoader one(numbers(20), {.batch_size = 3, .num_workers = 2});
  DataLoader two(numbers(20), {.batch_size = 2, .num_workers = 2});
  auto first = one.begin();
  auto second = two.begin();
  for (int taken = 0; taken < 3; ++taken, ++first, ++second) {
    static_cast<void>(*first);
    static_cast<void>(*second);
  }
  DataLoader after_one(numbers(20), {.batch_size = 3});
  DataLoader after_two(numbers(20), {.batch_size = 2, .num_workers = 1});
  after_one.load_state_dict(one.state_dict());
  after_two.load_state_dict(two.state_dict());
  EXPECT_EQ(take(after_one).front(), 9);
  EXPECT_EQ(take(after_two).front(), 6);
}

TEST_F(TestFastStateDictRequest, before_every_worker_has_given_a_batch) {
  const SharedCount starts;
  for (std::size_t taken = 0; taken < 5; ++taken) {
    expect_no_seam(
        [&] {
          return DataLoader(Kept({9, 9, 9}, starts),
                            {.num_workers = 3, .on_warning = [](std::string_view) {}});
        },
        taken);
  }
}

TEST_F(TestJsonSerDe, a_state_is_equal_to_what_comes_back_from_its_text) {
  for (const int num_workers : {0, 2}) {
    DataLoader loader(numbers(20),
                      {.shuffle = true, .num_workers = num_workers, .generator = Generator(1)});
    take(loader, 7);
    const StateDict state = loader.state_dict();
    EXPECT_EQ(StateDict::from_json(state.to_json()), state);
  }
}

TEST_F(TestInitialState, is_there_before_a_pass_and_after_a_load) {
  for (const int num_workers : {0, 2}) {
    const auto make = [&] {
      return DataLoader(numbers(20), {.batch_size = 3, .num_workers = num_workers});
    };
    auto fresh = make();
    EXPECT_EQ(fresh.state_dict(), make().state_dict());
    auto saved = make();
    take(saved, 2);
    const StateDict state = saved.state_dict();
    fresh.load_state_dict(state);
    EXPECT_EQ(fresh.state_dict(), state);
    fresh.load_state_dict(StateDict());
    EXPECT_EQ(take(fresh), test_support::first_n(20)) << "a default-made state starts afresh";
  }
}

TEST_F(TestInitialState, an_error_of_the_next_pass_is_its_own) {
  const auto bad_at_four = [](std::size_t index) {
    return index == 4 ? throw std::runtime_error("bad") : test_support::identity(index);
  };
  DataLoader saved(numbers(9), {.batch_size = 3});
  take(saved, 1);
  DataLoader loader(Numbers(9, bad_at_four), {.batch_size = 3, .num_workers = 1});
  loader.load_state_dict(saved.state_dict());
  const std::string message = test_support::message_of<WorkerError>([&] { take(loader); });
  EXPECT_NE(message.find("batch 1 of epoch 0"), std::string::npos) << message;
}

TEST_F(TestDynamicState, a_state_may_have_another_length_each_time) {
  const SharedCount starts;
  for (const int num_workers : {0, 2}) {
    for (std::size_t taken = 0; taken < 5; ++taken) {
      expect_no_seam(
          [&] {
            return DataLoader(Kept({9, 4}, starts),
                              {.batch_size = 2,
                               .num_workers = num_workers,
                               .on_warning = [](std::string_view) {}});
          },
          taken);
    }
  }
}

// The state of a stream is kept, and nothing of the dataset beside it.
TEST_F(TestDatasetIteratorStateDuplication, a_stream_has_one_state) {
  const SharedCount starts;
  DataLoader loader(Kept({9, 4}, starts), {.num_workers = 2});
  take(loader, 5);
  EXPECT_EQ(loader.state_dict().snapshot().pass->streams,
            (std::vector<std::optional<std::string>>{"xxx", "xx"}));
}

TEST_F(TestSingleIterCalled, a_stream_is_started_once_in_each_worker) {
  for (const int num_workers : {0, 1, 2}) {
    const SharedCount starts;
    const DataLoaderOptions options{.num_workers = num_workers};
    DataLoader saved(Kept({9, 9}, starts), options);
    take(saved, 3);
    EXPECT_EQ(starts.value(), std::max(num_workers, 1));
    DataLoader loader(Kept({9, 9}, starts), options);
    loader.load_state_dict(saved.state_dict());
    take(loader);
    EXPECT_EQ(starts.value(), 2 * std::max(num_workers, 1));
  }
}

TEST_F(TestOutOfOrderWithCheckpointing, each_sample_comes_once) {
  for (std::size_t taken = 0; taken < 10; ++taken) {
    const DataLoaderOptions options{
        .batch_size = 2, .num_workers = 2, .prefetch_factor = 3, .in_order = false};
    DataLoader saved(numbers(20), options);
    const Values begun = take(saved, taken);
    DataLoader loader(numbers(20), options);
    loader.load_state_dict(saved.state_dict());
    Values all = joined(begun, take(loader));
    std::ranges::sort(all);
    EXPECT_EQ(all, test_support::first_n(20));
  }
}

}  // namespace
}  // namespace forklift
