// SPDX-License-Identifier: MIT
// Iterable datasets: kinds of streams, their ends and their errors, for any number of workers.
// Semantics 3.1, 3.5 and 3.6.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/lazy_range.hpp"
#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::LazyRange;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::stream_options;
using test_support::take_all;
using test_support::take_with_errors;
using Values = std::vector<std::int64_t>;

class Streams : public test_support::LeavesNothing {};

TEST_F(Streams, of_two_iterators_without_workers_are_two) {
  DataLoader loader(Sharded({5}), {.batch_size = 1});
  auto first = loader.begin();
  auto second = loader.begin();
  for (std::int64_t value = 0; value < 5; ++value, ++first, ++second) {
    EXPECT_EQ((*first).data<std::int64_t>()[0], value);
    EXPECT_EQ((*second).data<std::int64_t>()[0], value);
  }
  EXPECT_TRUE(first == loader.end() && second == loader.end());
}

TEST_F(Streams, left_half_way_begin_anew) {
  for (const bool persistent : {false, true}) {
    DataLoaderOptions options = stream_options(2);
    options.persistent_workers = persistent;
    DataLoader loader(Sharded({1000, 1000}), options);
    for (int pass = 0; pass < 3; ++pass) {
      auto batch = loader.begin();
      EXPECT_EQ((*batch).data<std::int64_t>()[0], 0);
      ++batch;
      EXPECT_EQ((*batch).data<std::int64_t>()[0], 100);
    }
  }
}

TEST_F(Streams, that_never_end_can_be_left) {
  DataLoader loader(Sharded({SIZE_MAX, SIZE_MAX}), stream_options(2));
  std::size_t taken = 0;
  for (auto& batch : loader) {
    static_cast<void>(batch);
    if (++taken == 100) {
      break;
    }
  }
  EXPECT_EQ(taken, 100U);
}

TEST_F(Streams, go_on_behind_an_error_of_next) {
  for (const int num_workers : {0, 1, 2}) {
    std::vector<std::string> errors;
    DataLoader loader(Sharded({5, 5}, Sharded::throws_at_two), stream_options(num_workers));
    const Values values = take_with_errors(loader, SIZE_MAX, &errors);
    if (num_workers < 2) {
      EXPECT_EQ(values, (Values{0, 1, -1, 3, 4}));
    } else {
      EXPECT_EQ(values, (Values{0, 1, 100, 101, -1, -1, 3, 4, 103, 104}));
    }
    ASSERT_FALSE(errors.empty());
    EXPECT_NE(errors.front().find("value 2 is bad"), std::string::npos);
    EXPECT_NE(errors.front().find("(position 0 in the batch)"), std::string::npos)
        << errors.front();
    EXPECT_EQ(errors.front().find("dataset index"), std::string::npos) << errors.front();
  }
}

class ThrowingRange {
 public:
  LazyRange iterate(const WorkerInfo& worker) const {
    return {5, [id = worker.id](std::size_t number) { return Sharded::throws_at_two(id, number); }};
  }
};

TEST_F(Streams, that_are_ranges_are_over_after_an_error) {
  for (const int num_workers : {0, 1}) {
    std::vector<std::string> errors;
    DataLoader loader(ThrowingRange(), stream_options(num_workers));
    EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors), (Values{0, 1, -1}));
  }
}

class BadStart {
 public:
  Values iterate(const WorkerInfo& worker) const {
    if (worker.id == 0) {
      throw std::runtime_error("no such stream");
    }
    return {1, 2, 3};
  }
};

TEST_F(Streams, that_cannot_start_are_one_error_each) {
  for (const int num_workers : {0, 1, 2}) {
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<std::string> errors;
      DataLoader loader(BadStart(), stream_options(num_workers));
      EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors),
                num_workers < 2 ? Values{-1} : (Values{-1, 1, 2, 3}));
      ASSERT_EQ(errors.size(), 1U);
      EXPECT_NE(errors.front().find("no such stream"), std::string::npos);
      EXPECT_NE(errors.front().find("in iterate "), std::string::npos) << errors.front();
    }
  }
}

class BadOpen : public Sharded {
 public:
  BadOpen() : Sharded({3, 3}) {}
  void open(const WorkerInfo& /*worker*/) { throw std::runtime_error("no such file"); }
};

TEST_F(Streams, of_a_dataset_that_cannot_be_opened_are_one_error_each) {
  for (const int num_workers : {0, 1, 2}) {
    std::vector<std::string> errors;
    DataLoader loader(BadOpen(), stream_options(num_workers));
    EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors),
              Values(static_cast<std::size_t>(std::max(num_workers, 1)), -1));
    EXPECT_NE(errors.front().find("in open "), std::string::npos) << errors.front();
  }
}

TEST_F(Streams, give_the_same_values_out_of_order_however_uneven) {
  for (const int prefetch_factor : {1, 2, 4}) {
    DataLoader loader(Sharded({7, 0, 1, 30}),
                      {.batch_size = 3,
                       .num_workers = 4,
                       .prefetch_factor = prefetch_factor,
                       .persistent_workers = true,
                       .in_order = false,
                       .on_warning = [](std::string_view) {}});
    for (int pass = 0; pass < 20; ++pass) {
      Values values = take_all(loader);
      std::ranges::sort(values);
      Values expected;
      for (const auto& [worker, size] : {std::pair{0, 7}, {2, 1}, {3, 30}}) {
        for (std::int64_t number = 0; number < size; ++number) {
          expected.push_back(100 * worker + number);
        }
      }
      EXPECT_EQ(values, expected);
    }
  }
}

TEST_F(Streams, kept_batches_do_not_stop_the_ring) {
  DataLoader loader(Sharded({40, 3}), stream_options(2));
  std::vector<Tensor> kept;
  for (auto& batch : loader) {
    kept.push_back(batch);
  }
  Values values;
  for (const Tensor& batch : kept) {
    const auto data = batch.data<const std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
  }
  EXPECT_EQ(values.size(), 43U);
  EXPECT_EQ(std::ranges::count_if(values, [](std::int64_t value) { return value >= 100; }), 3);
}

TEST_F(Streams, whose_worker_dies_name_no_index) {
  DataLoader loader(Sharded({5, 5},
                            [](std::size_t worker, std::size_t number) {
                              if (worker == 1 && number == 1) {
                                std::_Exit(3);
                              }
                              return Sharded::hundreds(worker, number);
                            }),
                    stream_options(2));
  try {
    take_all(loader);
    FAIL() << "the death was not told";
  } catch (const WorkerDied& died) {
    EXPECT_EQ(died.worker_id(), 1U);
    EXPECT_EQ(died.exit_status(), 3);
    EXPECT_TRUE(died.dataset_indices().empty());
    EXPECT_NE(std::string(died.what()).find("before finishing batch 1; it was in sample 1 of it"),
              std::string::npos)
        << died.what();
  }
}

class Endless {
 public:
  LazyRange iterate(const WorkerInfo& /*worker*/) const {
    return {9, [](std::size_t number) {
              while (number == 3) {
                std::this_thread::yield();
              }
              return static_cast<std::int64_t>(number);
            }};
  }
};

TEST_F(Streams, that_hang_are_a_timeout_that_names_the_sample) {
  DataLoader loader(
      Endless(),
      {.batch_size = 2, .num_workers = 1, .timeout = 0.3, .on_warning = [](std::string_view) {}});
  const std::string message = test_support::message_of<TimeoutError>([&] { take_all(loader); });
  EXPECT_NE(message.find("in sample 1 of it"), std::string::npos) << message;
}

TEST_F(Streams, have_epochs_that_can_be_named) {
  DataLoader loader(Sharded({3}));
  loader.set_epoch(3);
  EXPECT_EQ(take_all(loader), (Values{0, 1, 2}));
  EXPECT_FALSE(loader.sampler());
  EXPECT_EQ(loader.state_dict().snapshot().next_epoch, 4U);
}

// Source: semantics 6.4: the limit is per message, not per batch.
TEST_F(Streams, time_out_when_no_worker_sends_anything) {
  SharedCount others;
  const auto slow_first = [&others](std::size_t worker, std::size_t number) {
    using namespace std::chrono_literals;
    if (worker == 0 && number == 0) {
      while (others.value() < 4) {
        std::this_thread::yield();
      }
    } else if (worker == 1) {
      std::this_thread::sleep_for(300ms);  // work: a third of the timeout
      ++others.value();
    }
    return Sharded::hundreds(worker, number);
  };
  DataLoader loader(Sharded({1, 6}, slow_first),
                    {.num_workers = 2, .timeout = 1.0, .prefetch_factor = 4});
  EXPECT_EQ(take_all(loader), (Values{0, 100, 101, 102, 103, 104, 105}));
}

TEST_F(Streams, do_not_fit_together_by_their_place_in_the_batch) {
  struct Ragged {
    std::vector<Values> iterate(const WorkerInfo& /*worker*/) const { return {{1, 2}, {3}}; }
  };
  for (const int num_workers : {0, 1}) {
    DataLoader loader(Ragged(), stream_options(num_workers));
    const std::string message = test_support::message_of<WorkerError>([&] {
      for (auto& batch : loader) {
        static_cast<void>(batch);
      }
    });
    EXPECT_NE(message.find("sample 0 of the batch and [1] at sample 1 of the batch"),
              std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace forklift
