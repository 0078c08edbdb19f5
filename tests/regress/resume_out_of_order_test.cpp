// SPDX-License-Identifier: MIT
// Batches that others overtook: where they were counted wrongly, samples came twice or not at all.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
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

class ResumeOutOfOrder : public test_support::LeavesNothing {};

// Goes on from `from` and takes three batches, out of order: what has an index below `held` waits
// until they are taken.
template <class Sampler>
StateDict overtaken(Values& taken,
                    const Sampler& batches,
                    std::size_t held = 2,
                    const StateDict& from = StateDict()) {
  const SharedCount count;
  DataLoader loader(Numbers(16,
                            [&count, held](std::size_t index) {
                              while (index < held && count.value() < 3) {
                                std::this_thread::yield();
                              }
                              return test_support::identity(index);
                            }),
                    {.batch_sampler = batches, .num_workers = 2, .in_order = false});
  loader.load_state_dict(from);
  for (auto& batch : loader) {
    const auto data = batch.template data<std::int64_t>();
    taken.insert(taken.end(), data.begin(), data.end());
    if (++count.value() == 3) {
      break;
    }
  }
  return loader.state_dict();
}

BatchSampler batches_of(std::size_t size) {
  return {SequentialSampler(16), size, false};
}

TEST_F(ResumeOutOfOrder, with_one_batch_asked_for_at_a_time) {
  Values taken;
  const StateDict state = overtaken(taken, batches_of(2));
  EXPECT_EQ(taken, (Values{2, 3, 6, 7, 8, 9}));
  for (const int num_workers : {0, 1}) {
    DataLoaderOptions options{.batch_sampler = batches_of(2), .num_workers = num_workers};
    if (num_workers > 0) {
      options.prefetch_factor = 1;
    }
    DataLoader loader(numbers(16), options);
    loader.load_state_dict(state);
    const Values next = take(loader, 1);
    EXPECT_EQ(next, (Values{0, 1}));
    DataLoader third(numbers(16), options);
    third.load_state_dict(loader.state_dict());
    EXPECT_EQ(take(third), (Values{4, 5, 10, 11, 12, 13, 14, 15}));
    EXPECT_EQ(take(loader), test_support::first_n(16));  // another pass
  }
}

TEST_F(ResumeOutOfOrder, counts_what_is_missing_not_what_overtook_it) {
  const SharedCount count;
  DataLoader loader(Numbers(5000,
                            [&count](std::size_t index) {
                              while (index == 0 && count.value() < 4000) {
                                std::this_thread::yield();
                              }
                              return test_support::identity(index);
                            }),
                    {.num_workers = 2, .in_order = false});
  auto batch = loader.begin();
  for (; count.value() < 4000; ++batch) {
    static_cast<void>(*batch);
    ++count.value();
  }
  const StateDict state = loader.state_dict();
  EXPECT_LE(state.snapshot().pass->missing.size(), 5U);
  EXPECT_LT(state.to_json().size(), 30'000U);
  EXPECT_EQ(StateDict::from_json(state.to_json()), state);
}

TEST_F(ResumeOutOfOrder, with_batches_cut_otherwise_is_refused_where_some_are_missing) {
  Values taken;
  const StateDict state = overtaken(taken, batches_of(2));
  DataLoader loader(numbers(16), {.batch_sampler = batches_of(4)});
  EXPECT_NE(refusal(loader, state).find("batch_size 2, and this one has 4"), std::string::npos);
  DataLoader single(numbers(16), {.batch_size = std::nullopt});
  EXPECT_NE(refusal(single, state).find("batch_size 2, and this one has 1"), std::string::npos);
}

TEST_F(ResumeOutOfOrder, counts_batches_that_were_cut_otherwise_before) {
  DataLoader first(numbers(16), {.batch_sampler = batches_of(4)});
  Values all = take(first, 1);
  const StateDict state = overtaken(all, batches_of(2), 6, first.state_dict());
  EXPECT_EQ(state.snapshot().pass->missing.front(), 1U);
  DataLoader loader(numbers(16), {.batch_sampler = batches_of(2)});
  loader.load_state_dict(StateDict::from_json(state.to_json()));
  all = joined(all, take(loader));
  std::ranges::sort(all);
  EXPECT_EQ(all, test_support::first_n(16));
}

}  // namespace
}  // namespace forklift
