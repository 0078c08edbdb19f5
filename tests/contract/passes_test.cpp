// SPDX-License-Identifier: MIT
// Rules of the contract that none of upstream's tests shows: what is asked of samplers and streams,
// and when. Semantics 6.1.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Claiming;
using test_support::kLoadingModes;
using test_support::LoadingMode;
using test_support::numbers;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::take;
using test_support::Values;
using Passes = test_support::LeavesNothing;
using Lengths = test_support::LeavesNothing;

// Semantics 1.1. Designated initialisers compile in the order of the members only.
TEST_F(Passes, options_stand_in_pytorchs_order) {
  const DataLoaderOptions options{.batch_size = 1,
                                  .shuffle = false,
                                  .sampler = {},
                                  .batch_sampler = {},
                                  .num_workers = 2,
                                  .drop_last = false,
                                  .timeout = 0,
                                  .worker_init_fn = {},
                                  .generator = std::nullopt,
                                  .prefetch_factor = 2,
                                  .persistent_workers = false,
                                  .in_order = true};
  DataLoader loader(numbers(4), options);
  EXPECT_EQ(take(loader), test_support::first_n(4));
}

// Semantics 1.1: in_order says nothing without workers.
TEST_F(Passes, out_of_order_without_workers_are_in_order) {
  DataLoader loader(numbers(9), {.batch_size = 2, .in_order = false});
  EXPECT_EQ(take(loader), test_support::first_n(9));
}

// Semantics 1.2, number 10.
TEST_F(Passes, have_the_sampler_that_the_options_say) {
  DataLoader sequential(numbers(3));
  DataLoader shuffled(numbers(3), {.shuffle = true});
  DataLoader with_lists(numbers(3), {.batch_sampler = std::vector<Values>{{0}}});
  DataLoader iterable(Sharded({3}));
  EXPECT_EQ(sequential.sampler().type(), "forklift::SequentialSampler");
  EXPECT_EQ(shuffled.sampler().type(), "forklift::RandomSampler");
  EXPECT_FALSE(with_lists.sampler());
  EXPECT_FALSE(iterable.sampler());
}

// A sampler that counts how often it is started and what is asked of it.
struct Watched {
  struct Log {
    int passes = 0;
    int asked = 0;
  };
  struct Cursor {
    std::shared_ptr<Log> log;
    std::size_t index = 0;
    std::optional<std::size_t> next() {
      ++log->asked;
      return index < 40 ? std::optional(index++) : std::nullopt;
    }
  };
  std::shared_ptr<Log> log = std::make_shared<Log>();
  [[nodiscard]] Cursor iterate() const {
    ++log->passes;
    return {log};
  }
};

// Semantics 3.4. PyTorch starts a sampler twice for the first pass with workers, and leaves the
// first of the two unused.
TEST_F(Passes, start_the_sampler_once_each) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    const Watched sampler;
    DataLoaderOptions options = mode.options();
    options.sampler = sampler;
    DataLoader loader(numbers(40), options);
    for (int pass = 1; pass <= 3; ++pass) {
      take(loader);
      EXPECT_EQ(sampler.log->passes, pass);
    }
  }
}

// Semantics 3.5: when batch k has been given, the sampler was asked prefetch_factor * num_workers +
// k + 1 times; k + 1 times without workers.
TEST_F(Passes, ask_the_sampler_for_the_window_and_one_more_with_each_batch) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    const Watched sampler;
    DataLoaderOptions options = mode.options();
    options.sampler = sampler;
    if (mode.num_workers > 0) {
      options.prefetch_factor = 3;
    }
    const int window = 3 * mode.num_workers;
    DataLoader loader(numbers(40), options);
    auto batch = loader.begin();
    EXPECT_EQ(sampler.log->asked, window);
    for (int given = 1; given <= 20; ++given, ++batch) {
      ASSERT_FALSE(batch == loader.end());
      EXPECT_EQ(sampler.log->asked, window + given);
    }
  }
}

// Semantics 3.7: two passes over one generator draw in the order of the calls.
TEST_F(Passes, side_by_side_share_the_generator_in_the_order_of_the_calls) {
  DataLoader loader(numbers(10), {.batch_size = 10, .shuffle = true, .generator = Generator(4)});
  Generator expected(4);
  const auto indices_of = [](auto& batch) {
    const auto data = (*batch).template data<std::int64_t>();
    return Values(data.begin(), data.end());
  };
  const auto permutation = [&] {
    const auto order = expected.randperm(10);
    return Values(order.begin(), order.end());
  };

  auto first = loader.begin();
  auto second = loader.begin();
  expected.random63();  // the base seeds, drawn though nobody needs them: semantics 3.1
  expected.random63();
  EXPECT_EQ(indices_of(second), permutation());
  EXPECT_EQ(indices_of(first), permutation());
  ++first;
  EXPECT_TRUE(first == loader.end());
  expected.skip_randperm(10);  // the permutation that is drawn and dropped at the end
  EXPECT_EQ(Generator(*loader.options().generator).random63(), expected.random63());
}

// A stream that counts what is asked of it.
class Counted {
 public:
  Counted(std::size_t size, const SharedCount& asked) : size_(size), asked_(&asked) {}
  struct Stream {
    std::size_t size;
    const SharedCount* asked;
    std::int64_t number = 0;
    std::optional<std::int64_t> next() {
      ++asked->value();
      return number < static_cast<std::int64_t>(size) ? std::optional(number++) : std::nullopt;
    }
  };
  [[nodiscard]] Stream iterate(const WorkerInfo& /*worker*/) const { return {size_, asked_}; }

 private:
  std::size_t size_;
  const SharedCount* asked_;
};

// Semantics 3.3: after full batches one more fetch finds the end; a short batch has met it already.
TEST_F(Passes, find_the_end_of_a_stream_by_asking_once_more) {
  for (const int num_workers : {0, 1}) {
    for (const std::size_t size : {4U, 5U}) {
      const SharedCount asked;
      DataLoader loader(Counted(size, asked), {.batch_size = 2, .num_workers = num_workers});
      EXPECT_EQ(take(loader).size(), size);
      EXPECT_EQ(asked.value(), static_cast<int>(size) + 1);
    }
  }
}

// Semantics 3.3, the last two.
TEST_F(Passes, hand_samples_of_a_stream_to_the_collate_fn) {
  for (const int num_workers : {0, 1}) {
    DataLoader one_by_one(Sharded({3}),
                          {.batch_size = std::nullopt, .num_workers = num_workers},
                          [](std::int64_t sample) { return -sample; });
    Values values;
    for (const std::int64_t value : one_by_one) {
      values.push_back(value);
    }
    EXPECT_EQ(values, (Values{0, -1, -2}));
    DataLoader in_lists(Sharded({3}),
                        {.batch_size = 2, .num_workers = num_workers},
                        [](const std::vector<std::int64_t>& samples) {
                          return static_cast<std::int64_t>(samples.size());
                        });
    values.clear();
    for (const std::int64_t value : in_lists) {
      values.push_back(value);
    }
    EXPECT_EQ(values, (Values{2, 1}));
  }
}

// Semantics 2. Upstream divides as floating point, which is wrong by one up here.
TEST_F(Lengths, are_exact_for_any_number_of_samples) {
  const std::size_t great = (std::size_t{1} << 53U) + 1;
  EXPECT_EQ(DataLoader(Claiming({1}, great)).size(), great);
  EXPECT_EQ(DataLoader(Claiming({1}, great), {.batch_size = 2}).size(), great / 2 + 1);
  EXPECT_EQ(DataLoader(numbers(great), {.batch_size = 2}).size(), great / 2 + 1);
  EXPECT_EQ(DataLoader(Claiming({1}, SIZE_MAX), {.batch_size = 3}).size(), SIZE_MAX / 3);
}

// Semantics 2: an iterator compares with what was known when its pass began.
TEST_F(Lengths, asked_for_within_a_pass_are_compared_from_the_next_one_on) {
  for (const bool persistent : {false, true}) {
    int warnings = 0;
    DataLoader loader(Claiming({5}, 2),
                      {.num_workers = persistent ? 1 : 0,
                       .persistent_workers = persistent,
                       .on_warning = [&](std::string_view) { ++warnings; }});
    auto batch = loader.begin();
    EXPECT_EQ(loader.size(), 2U);
    for (; batch != loader.end(); ++batch) {
    }
    EXPECT_EQ(warnings, 0);
    take(loader);
    EXPECT_EQ(warnings, 1);
  }
}

// Semantics 2: a length is the sampler's, asked for each time.
TEST_F(Lengths, without_batches_are_the_sampler_s) {
  DataLoader loader(numbers(10),
                    {.batch_size = std::nullopt, .sampler = std::vector<int>{1, 2, 3}});
  EXPECT_EQ(loader.size(), 3U);
}

}  // namespace
}  // namespace forklift
