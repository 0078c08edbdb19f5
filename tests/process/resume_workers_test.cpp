// SPDX-License-Identifier: MIT
// Loaders of iterable datasets that go on with another number of workers. Semantics 8.4.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/resumable.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::joined;
using test_support::refusal;
using test_support::Resumable;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::stream_options;
using test_support::take;
using test_support::take_with_errors;
using test_support::Values;

class ResumeWorkers : public test_support::LeavesNothing {};

// Stops with `before` workers after each number of batches and goes on with `after`: the two halves
// joined are what `before` workers give, and the pass after it is what `after` give.
template <class Dataset>
void expect_no_seam(const Dataset& dataset, int before, int after, bool in_order, int prefetch) {
  DataLoaderOptions options = stream_options(before);
  options.in_order = in_order;
  DataLoader whole(dataset, options);
  Values expected = take_with_errors(whole);
  DataLoaderOptions options_after = stream_options(after);
  options_after.in_order = in_order;
  if (after > 0) {
    options_after.prefetch_factor = prefetch;
  }
  DataLoader whole_after(dataset, options_after);
  Values expected_after = take_with_errors(whole_after);
  if (!in_order) {
    std::ranges::sort(expected);
    std::ranges::sort(expected_after);
  }
  for (std::size_t stop = 0; 2 * stop <= expected.size(); ++stop) {
    SCOPED_TRACE(std::to_string(before) + " workers, then " + std::to_string(after) +
                 ", stopped at " + std::to_string(stop));
    DataLoader saved(dataset, options);
    const Values taken = take_with_errors(saved, stop);
    const StateDict state = saved.state_dict();
    if (stop > 0 && !state.snapshot().pass.has_value()) {
      break;  // its end was seen
    }
    DataLoader loader(dataset, options_after);
    loader.load_state_dict(StateDict::from_json(state.to_json()));
    Values all = joined(taken, take_with_errors(loader));
    Values next = take_with_errors(loader);
    if (!in_order) {
      std::ranges::sort(all);
      std::ranges::sort(next);
    }
    EXPECT_EQ(all, expected);
    EXPECT_EQ(next, expected_after);
  }
}

TEST_F(ResumeWorkers, of_streams_with_a_state_go_on_in_the_same_order) {
  const SharedCount reads;
  const Resumable dataset({9, 2, 14, 7}, reads);
  for (const int after : {0, 1, 2, 4}) {
    for (const int before : {0, 2, 3}) {
      expect_no_seam(dataset, before, after, true, 1 + before % 2);
    }
    expect_no_seam(dataset, 3, after, false, 1 + after % 2);
  }
}

TEST_F(ResumeWorkers, of_streams_that_are_read_again_go_on_in_the_same_order) {
  const Sharded dataset({11, 0, 6, 3});
  for (const int before : {1, 3}) {
    for (const int after : {0, 1, 2, 4}) {
      expect_no_seam(dataset, before, after, true, 1);
    }
  }
}

TEST_F(ResumeWorkers, read_no_sample_twice) {
  const SharedCount reads;
  const Resumable dataset({3, 3, 3}, reads);
  DataLoader saved(dataset, stream_options(3));
  EXPECT_EQ(take(saved, 3), (Values{0, 1, 100, 101, 200, 201}));
  DataLoader loader(dataset, stream_options(2));
  loader.load_state_dict(saved.state_dict());
  reads.value() = 0;
  EXPECT_EQ(take(loader), (Values{2, 102, 202}));
  EXPECT_EQ(reads.value(), 3);
}

TEST_F(ResumeWorkers, can_change_again_within_the_pass) {
  const SharedCount reads;
  const Resumable dataset({3, 3, 3, 3}, reads);
  const DataLoaderOptions one = {.num_workers = 3};
  DataLoader first(dataset, one);
  Values values = take(first, 4);
  DataLoader second(dataset, {.num_workers = 1});
  second.load_state_dict(first.state_dict());
  values = joined(values, take(second, 1));
  DataLoader third(dataset, {.num_workers = 2});
  third.load_state_dict(second.state_dict());
  values = joined(values, take(third));
  EXPECT_EQ(values, (Values{0, 100, 200, 1, 101, 201, 2, 102, 202}));
}

TEST_F(ResumeWorkers, that_are_kept_have_a_stream_each_in_the_pass_after_it) {
  const SharedCount reads;
  const Resumable dataset({3, 3, 3}, reads);
  DataLoader saved(dataset, {.num_workers = 1});
  take(saved, 1);
  DataLoader loader(dataset, {.num_workers = 3, .persistent_workers = true});
  loader.load_state_dict(saved.state_dict());
  EXPECT_EQ(take(loader), (Values{1, 2}));
  EXPECT_EQ(take(loader), (Values{0, 100, 200, 1, 101, 201, 2, 102, 202}));
}

// Who its stream thinks it is.
class Introduces {
 public:
  struct Stream {
    WorkerInfo info;
    int left = 2;
    std::optional<std::int64_t> next() {
      if (left-- == 0) {
        return std::nullopt;
      }
      const WorkerInfo* shown = get_worker_info();
      const bool agrees = shown == nullptr || (shown->id == info.id && shown->seed == info.seed &&
                                               shown->num_workers == info.num_workers);
      return agrees ? static_cast<std::int64_t>(100 * info.num_workers + 10 * info.id +
                                                (info.seed - info.id) % 10)
                    : -1;
    }
  };
  Stream iterate(const WorkerInfo& info) const { return {info}; }
};

TEST_F(ResumeWorkers, show_each_stream_the_worker_that_it_had) {
  DataLoaderOptions options = {.num_workers = 3, .generator = Generator(5)};
  DataLoader whole(Introduces(), options);
  const Values expected = take(whole);
  EXPECT_EQ(expected.size(), 6U);
  EXPECT_EQ(expected.front() / 10, 30);
  EXPECT_EQ(expected.back() / 10, 32);
  for (const int num_workers : {0, 1, 2}) {
    options.generator = Generator(5);
    options.num_workers = 3;
    DataLoader saved(Introduces(), options);
    const Values taken = take(saved, 1);
    options.generator = Generator(5);
    options.num_workers = num_workers;
    DataLoader loader(Introduces(), options);
    loader.load_state_dict(saved.state_dict());
    EXPECT_EQ(joined(taken, take(loader)), expected);
  }
}

// The stream of worker 1 cannot be begun.
class Refuses {
 public:
  Sharded::Stream iterate(const WorkerInfo& worker) const {
    return worker.id == 1 ? throw std::runtime_error("no stream 1")
                          : Sharded({4, 4, 4}).iterate(worker);
  }
};

TEST_F(ResumeWorkers, tell_the_error_of_a_stream_in_its_turn) {
  for (const int num_workers : {0, 1, 2}) {
    DataLoader saved(Refuses(), stream_options(3));
    EXPECT_EQ(take(saved, 1), (Values{0, 1}));
    DataLoader loader(Refuses(), stream_options(num_workers));
    loader.load_state_dict(saved.state_dict());
    std::vector<std::string> errors;
    // Streams without a state are read again from their beginning.
    EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors), (Values{-1, 200, 201, 2, 3, 202, 203}));
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_NE(errors.front().find("no stream 1"), std::string::npos) << errors.front();
  }
}

// One stream for all, which lives in the dataset.
class Shared {
 public:
  Shared& iterate(const WorkerInfo& /*worker*/) {
    next_ = 0;
    return *this;
  }
  std::optional<std::int64_t> next() { return next_ < 4 ? std::optional(next_++) : std::nullopt; }

 private:
  std::int64_t next_ = 0;
};

TEST_F(ResumeWorkers, cannot_read_by_turns_what_is_one_stream) {
  DataLoader saved(Shared(), stream_options(2));
  take(saved, 1);
  DataLoader fewer(Shared(), stream_options(1));
  EXPECT_EQ(refusal(fewer, saved.state_dict()),
            "the dataset's iterate() returns a reference to one stream, so that no worker can read "
            "two by turns: the state has 2 streams, and this loader has num_workers 1; allowed are "
            "2 or more");
  DataLoader more(Shared(), stream_options(3));
  more.load_state_dict(saved.state_dict());
  EXPECT_EQ(take(more), (Values{0, 1, 2, 3, 2, 3}));
}

TEST_F(ResumeWorkers, have_no_more_streams_than_a_loader_has_workers) {
  DataLoader saved(Sharded({4, 4}), stream_options(2));
  take(saved, 1);
  detail::LoaderSnapshot snapshot = saved.state_dict().snapshot();
  snapshot.pass->streams.resize(257);
  snapshot.pass->by_stream.resize(257);
  DataLoader loader(Sharded({4, 4}), stream_options(2));
  EXPECT_EQ(refusal(loader, StateDict(snapshot)),
            "the state has 257 streams, and no loader has more than 256");
  snapshot.pass->streams.clear();
  snapshot.pass->by_stream.clear();
  snapshot.pass->batches = 0;
  EXPECT_EQ(refusal(loader, StateDict(snapshot)), "the state lacks an entry for each stream");
}

}  // namespace
}  // namespace forklift
