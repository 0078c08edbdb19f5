// SPDX-License-Identifier: MIT
// Places at which a state was taken, or a loader went on, and samples came twice or not at all.
// Semantics 8.2.
#include "support/resume.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/shared_count.hpp"
#include "support/streams.hpp"

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

class ResumeRegress : public test_support::LeavesNothing {};

TEST_F(ResumeRegress, after_a_death_that_the_loop_went_past) {
  const SharedCount dies;
  dies.value() = 1;
  const auto dies_once = [&dies](std::size_t index) {
    if (index == 7 && dies.value().exchange(0) == 1) {
      std::_Exit(1);
    }
    return test_support::identity(index);
  };
  for (const bool persistent : {false, true}) {
    dies.value() = 1;
    DataLoader saved(Numbers(20, dies_once),
                     {.batch_size = 2, .num_workers = 2, .persistent_workers = persistent});
    Values taken;
    auto batch = saved.begin();
    try {
      for (; batch != saved.end(); ++batch) {
        const auto data = (*batch).data<std::int64_t>();
        taken.insert(taken.end(), data.begin(), data.end());
      }
    } catch (const WorkerDied&) {
      ++batch;
    }
    EXPECT_TRUE(batch == saved.end());
    DataLoader loader(Numbers(20, dies_once), {.batch_size = 2});
    loader.load_state_dict(saved.state_dict());
    EXPECT_EQ(joined(taken, take(loader)), test_support::first_n(20));
  }
}

TEST_F(ResumeRegress, after_an_exception_of_the_sampler) {
  struct Once {
    SharedCount* left;
    struct Cursor {
      SharedCount* left;
      std::size_t index = 0;
      std::optional<std::size_t> next() {
        if (index == 6 && left->value().exchange(0) == 1) {
          throw std::runtime_error("not now");
        }
        return index < 10 ? std::optional(index++) : std::nullopt;
      }
    };
    Cursor iterate() const { return {left}; }
  };
  for (const int num_workers : {0, 1}) {
    SharedCount left;
    left.value() = 1;
    const DataLoaderOptions options{
        .batch_size = 2, .sampler = Once{&left}, .num_workers = num_workers};
    DataLoader saved(numbers(10), options);
    Values taken;
    auto batch = saved.begin();
    EXPECT_THROW(
        {
          for (; batch != saved.end(); ++batch) {
            const auto data = (*batch).data<std::int64_t>();
            taken.insert(taken.end(), data.begin(), data.end());
          }
        },
        std::runtime_error);
    ++batch;
    EXPECT_TRUE(batch == saved.end());
    DataLoader loader(numbers(10), options);
    loader.load_state_dict(saved.state_dict());
    EXPECT_EQ(joined(taken, take(loader)), test_support::first_n(10));
  }
}

// A sampler with set_epoch() and without a state.
class ByEpoch {
 public:
  struct Cursor {
    std::size_t first;
    std::size_t taken = 0;
    std::optional<std::size_t> next() {
      return taken < 8 ? std::optional((first + taken++) % 8) : std::nullopt;
    }
  };
  Cursor iterate() const { return {epoch_}; }
  void set_epoch(std::size_t epoch) { epoch_ = epoch; }

 private:
  std::size_t epoch_ = 0;
};

TEST_F(ResumeRegress, tells_a_sampler_without_a_state_its_epoch) {
  const auto make = [] { return DataLoader(numbers(8), {.batch_size = 2, .sampler = ByEpoch()}); };
  auto whole = make();
  whole.set_epoch(3);
  const Values expected = take(whole);
  auto saved = make();
  saved.set_epoch(3);
  const StateDict before = saved.state_dict();
  const Values first = take(saved, 1);
  const StateDict within = saved.state_dict();
  for (const bool names_it : {false, true}) {
    auto loader = make();
    loader.load_state_dict(within);
    if (names_it) {
      loader.set_epoch(3);
    }
    EXPECT_EQ(joined(first, take(loader)), expected);
  }
  auto loader = make();
  loader.load_state_dict(before);
  EXPECT_EQ(take(loader), expected);
}

TEST_F(ResumeRegress, keeps_the_epoch_that_was_named_within_the_pass) {
  const auto make = [] {
    return DataLoader(
        numbers(8),
        {.batch_size = 2,
         .sampler = DistributedSampler(8, {.num_replicas = 1, .rank = 0, .seed = 5})});
  };
  auto saved = make();
  auto batch = saved.begin();
  static_cast<void>(*batch);
  saved.set_epoch(5);
  const StateDict state = saved.state_dict();
  auto loader = make();
  loader.load_state_dict(state);
  take(loader);
  const Values next = take(loader);
  EXPECT_EQ(loader.state_dict().snapshot().next_epoch, 6U);
  auto fifth = make();
  fifth.set_epoch(5);
  EXPECT_EQ(next, take(fifth));
}

TEST_F(ResumeRegress, knows_the_length_that_the_pass_began_with) {
  class Growing {
   public:
    explicit Growing(const SharedCount& size) : size_(&size) {}
    std::size_t size() const { return static_cast<std::size_t>(size_->value()); }
    std::int64_t get(std::size_t index) const { return test_support::identity(index); }

   private:
    const SharedCount* size_;
  };
  SharedCount size;
  size.value() = 10;
  const DataLoaderOptions options{.batch_size = 2, .shuffle = true, .generator = Generator(3)};
  DataLoader saved(Growing(size), options);
  take(saved, 1);
  size.value() = 16;
  const StateDict state = saved.state_dict();
  DataLoader loader(Growing(size), options);
  EXPECT_NE(refusal(loader, state).find("dataset length 10, and this one has 16"),
            std::string::npos);
}

TEST_F(ResumeRegress, refuses_counts_that_do_not_go_together) {
  DataLoader saved(numbers(8), {.batch_size = 2});
  take(saved, 2);
  DataLoader loader(numbers(8), {.batch_size = 2});
  const auto refused = [&](auto change) {
    detail::LoaderSnapshot snapshot = saved.state_dict().snapshot();
    change(*snapshot.pass);
    return refusal(loader, StateDict(snapshot)).find("do not go together") != std::string::npos;
  };
  EXPECT_TRUE(refused([](auto& pass) { pass.batches = UINT64_MAX; }));
  EXPECT_TRUE(refused([](auto& pass) { pass.samples = 0; }));
  EXPECT_TRUE(refused([](auto& pass) { pass.by_stream = {2}; }));
  EXPECT_TRUE(refused([](auto& pass) { pass.streams.resize(100'000); }));
  EXPECT_TRUE(refused([](auto& pass) { pass.batches_before = 3; }));
  EXPECT_TRUE(refused([](auto& pass) { pass.samples_before = 5; }));
}

TEST_F(ResumeRegress, goes_on_behind_the_empty_lists_of_a_batch_sampler) {
  using Lists = std::vector<std::vector<std::size_t>>;
  for (const int num_workers : {0, 2}) {
    const DataLoaderOptions options{.batch_sampler = Lists{{}, {}, {0, 1}, {}, {2}},
                                    .num_workers = num_workers};
    const std::vector<std::int64_t> all{-1, -1, 0, 1, -1, 2};
    for (std::size_t batches = 0; batches <= 5; ++batches) {
      DataLoader saved(numbers(3), options);
      const auto begun = test_support::take_with_errors(saved, batches);
      DataLoader loader(numbers(3), options);
      loader.load_state_dict(saved.state_dict());
      EXPECT_EQ(joined(begun, test_support::take_with_errors(loader)), all) << batches;
    }
  }
}

TEST_F(ResumeRegress, of_a_stream_that_cannot_be_read_again_is_an_error) {
  class Once {
   public:
    explicit Once(const SharedCount& is_gone) : is_gone_(&is_gone) {}
    std::vector<std::int64_t> iterate(const WorkerInfo& /*worker*/) const {
      return is_gone_->value() == 0 ? std::vector<std::int64_t>{0, 1, 2, 3}
                                    : throw std::runtime_error("no longer there");
    }

   private:
    const SharedCount* is_gone_;
  };
  for (const int num_workers : {0, 1}) {
    const SharedCount is_gone;
    DataLoader saved(Once(is_gone), {.num_workers = num_workers});
    take(saved, 2);
    is_gone.value() = 1;
    DataLoader loader(Once(is_gone), {.num_workers = num_workers, .on_warning = [](auto) {}});
    loader.load_state_dict(saved.state_dict());
    EXPECT_THROW(take(loader), WorkerError);
  }
}

TEST_F(ResumeRegress, copies_of_a_weighted_cursor_go_on_each_by_itself) {
  const WeightedRandomSampler sampler(
      std::vector<double>{1, 2, 3, 4, 5}, 40, {.generator = Generator(9)});
  auto cursor = sampler.iterate();
  static_cast<void>(cursor.next());
  auto copy = cursor;
  std::vector<std::size_t> left;
  std::vector<std::size_t> right;
  for (int i = 0; i < 39; ++i) {
    left.push_back(cursor.next().value());
    right.push_back(copy.next().value());
  }
  EXPECT_EQ(left, right);
}

}  // namespace
}  // namespace forklift
