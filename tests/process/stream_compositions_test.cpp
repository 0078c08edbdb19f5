// SPDX-License-Identifier: MIT
// Compositions of iterable datasets in a loader.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::Sharded;
using test_support::SharedCount;
using test_support::stream_options;
using test_support::take_all;
using test_support::take_with_errors;
using Values = std::vector<std::int64_t>;

class StreamCompositions : public test_support::LeavesNothing {};

Values sorted(Values values) {
  std::ranges::sort(values);
  return values;
}

std::int64_t negated(std::int64_t value) {
  return -value;
}
TEST_F(StreamCompositions, workers_go_through_a_chain_each_at_its_pace) {
  for (const bool persistent : {false, true}) {
    DataLoaderOptions options = stream_options(2);
    options.persistent_workers = persistent;
    DataLoader loader(ChainDataset(Sharded({3, 0}), map(Sharded({0, 1}), negated), Sharded({2, 1})),
                      options);
    for (int pass = 0; pass < 3; ++pass) {
      // Batches reach over the ends of the datasets: (0 1) (2 0) (1), (-100 100).
      EXPECT_EQ(take_all(loader), (Values{0, 1, -100, 100, 2, 0, 1}));
    }
  }
}

TEST_F(StreamCompositions, left_half_way_begin_anew) {
  for (const int num_workers : {0, 1, 2}) {
    DataLoaderOptions options = stream_options(num_workers);
    options.persistent_workers = num_workers > 0;
    DataLoader loader(ChainDataset(Sharded({1, 1}), Sharded({SIZE_MAX, SIZE_MAX})), options);
    for (int pass = 0; pass < 3; ++pass) {
      auto batch = loader.begin();
      EXPECT_EQ((*batch).data<std::int64_t>()[0], 0);
      ++batch;
      EXPECT_EQ((*batch).data<std::int64_t>()[0], num_workers == 2 ? 100 : 1);
    }
  }
}

class Opened : public Sharded {
 public:
  Opened(std::vector<std::size_t> sizes, const SharedCount& opened)
      : Sharded(std::move(sizes)),
        opened_(&opened) {}
  void open(const WorkerInfo& /*info*/) const { ++opened_->value(); }

 private:
  const SharedCount* opened_;
};

TEST_F(StreamCompositions, hand_open_on_once_in_each_worker) {
  for (const int num_workers : {0, 1, 2}) {
    const SharedCount opened;
    DataLoaderOptions options = stream_options(num_workers);
    options.persistent_workers = num_workers > 0;
    DataLoader loader(
        ShuffleBuffer(map(ChainDataset(Sharded({1, 1}), Opened({2, 2}, opened)), negated), 2, 1),
        options);
    take_all(loader);
    take_all(loader);
    EXPECT_EQ(opened.value(), std::max(num_workers, 1));
  }
}

TEST_F(StreamCompositions, go_on_behind_errors) {
  for (const int num_workers : {0, 1, 2}) {
    DataLoader loader(
        map(ChainDataset(Sharded({4, 4}, Sharded::throws_at_two), Sharded({1, 1})), negated),
        stream_options(num_workers));
    EXPECT_EQ(take_with_errors(loader),
              num_workers < 2 ? (Values{0, -1, -1, -3, 0})
                              : (Values{0, -1, -100, -101, -1, -1, -3, 0, -103, -100}));
  }
}

class BadStart {
 public:
  Values iterate(const WorkerInfo& /*info*/) const { throw std::runtime_error("no such stream"); }
};

TEST_F(StreamCompositions, chained_behind_one_that_cannot_start_are_read) {
  for (const int num_workers : {0, 1, 2}) {
    DataLoader loader(ChainDataset(BadStart(), Sharded({3, 1})), stream_options(num_workers));
    EXPECT_EQ(take_with_errors(loader),
              num_workers < 2 ? (Values{-1, 0, 1, 2}) : (Values{-1, -1, 0, 1, 100, 2}));
  }
}

TEST_F(StreamCompositions, under_map_and_shuffle_that_cannot_start_are_one_error_each) {
  for (const int num_workers : {0, 1, 2}) {
    const Values expected(static_cast<std::size_t>(std::max(num_workers, 1)), -1);
    DataLoader mapped(map(BadStart(), negated), stream_options(num_workers));
    EXPECT_EQ(take_with_errors(mapped), expected);
    DataLoader shuffled(ShuffleBuffer(BadStart(), 3, 1), stream_options(num_workers));
    EXPECT_EQ(take_with_errors(shuffled), expected);
  }
}

auto chained() {
  const auto thousands = [](std::size_t worker, std::size_t number) {
    return 1000 + Sharded::hundreds(worker, number);
  };
  return ChainDataset(Sharded({30, 30}), Sharded({10, 10}, thousands));
}
auto shuffled() {
  return ShuffleBuffer(chained(), 20, 1);
}
DataLoaderOptions shuffle_options(int num_workers, bool persistent) {
  DataLoaderOptions options = stream_options(num_workers);
  options.persistent_workers = persistent;
  options.generator = Generator(5);
  return options;
}

TEST_F(StreamCompositions, shuffled_have_another_order_in_each_pass_and_the_same_for_a_seed) {
  constexpr int kPasses = 4;
  for (const int num_workers : {0, 1, 2}) {
    for (const bool persistent : {false, true}) {
      if (persistent && num_workers == 0) {
        continue;
      }
      DataLoader in_order(chained(), stream_options(num_workers));
      const Values all = sorted(take_all(in_order));
      DataLoader first(shuffled(), shuffle_options(num_workers, persistent));
      DataLoader second(shuffled(), shuffle_options(num_workers, persistent));
      std::set<Values> orders;
      for (int pass = 0; pass < kPasses; ++pass) {
        const Values values = take_all(first);
        EXPECT_EQ(sorted(values), all);
        EXPECT_EQ(take_all(second), values);
        orders.insert(values);
      }
      EXPECT_EQ(orders.size(), static_cast<std::size_t>(kPasses))
          << num_workers << " workers, kept: " << persistent;
    }
  }
}

TEST_F(StreamCompositions, shuffled_have_another_order_in_each_worker) {
  const auto same_in_each = [](std::size_t /*worker*/, std::size_t number) {
    return static_cast<std::int64_t>(number);
  };
  DataLoader loader(ShuffleBuffer(Sharded({30, 30}, same_in_each), 30, 1),
                    {.batch_size = 30, .num_workers = 2, .on_warning = [](std::string_view) {}});
  const Values values = take_all(loader);
  ASSERT_EQ(values.size(), 60U);
  EXPECT_NE(Values(values.begin(), values.begin() + 30), Values(values.begin() + 30, values.end()));
}

TEST_F(StreamCompositions, shuffled_go_on_from_a_state_in_the_same_order) {
  for (const int num_workers : {0, 1, 2}) {
    DataLoader whole(shuffled(), shuffle_options(num_workers, false));
    take_all(whole);
    const Values second = take_all(whole);
    const Values third = take_all(whole);

    DataLoader saved(shuffled(), shuffle_options(num_workers, false));
    take_all(saved);
    Values taken;
    auto batch = saved.begin();
    for (int batches = 0; batches < 5; ++batches, ++batch) {
      const auto data = (*batch).data<std::int64_t>();
      taken.insert(taken.end(), data.begin(), data.end());
    }
    // Fetched by the last ++, and not looked at before.
    const auto data = (*batch).data<std::int64_t>();
    taken.insert(taken.end(), data.begin(), data.end());
    const StateDict state = saved.state_dict();

    DataLoader other(shuffled(), shuffle_options(num_workers, false));
    for (auto* loader : {&other, &saved}) {
      loader->load_state_dict(state);
      Values values = taken;
      const Values rest = take_all(*loader);
      values.insert(values.end(), rest.begin(), rest.end());
      EXPECT_EQ(values, second) << num_workers << " workers";
      EXPECT_EQ(take_all(*loader), third);
    }
  }
}

}  // namespace
}  // namespace forklift
