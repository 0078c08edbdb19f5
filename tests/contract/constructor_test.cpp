// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py, TestDataLoader: what the constructor says, and errors of the
// user's code. The winner of each pair of mistakes is in golden/GoldenConstructor. Semantics 1.1,
// 1.2, 1.3, 3.2, 3.5, 6.1, 6.2, 6.5 and 8.3.
#include <sched.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::kLoadingModes;
using test_support::LoadingMode;
using test_support::message_of;
using test_support::Numbers;
using test_support::numbers;
using test_support::Sharded;
using test_support::take_with_errors;
using test_support::Values;
using Indices = std::vector<std::size_t>;
using Lists = std::vector<Indices>;
using TestDataLoader = test_support::LeavesNothing;

template <class Dataset>
void expect_refused(const Dataset& dataset,
                    const DataLoaderOptions& options,
                    const std::string& words) {
  const std::string message =
      message_of<InvalidOptions>([&] { DataLoader<Dataset> loader(dataset, options); });
  EXPECT_NE(message.find(words), std::string::npos) << message << "\nlacks: " << words;
}

TEST_F(TestDataLoader, invalid_ctor_args_combinations) {
  const Numbers map_style = numbers(3);
  expect_refused(map_style, {.num_workers = -1}, "num_workers option should be non-negative");
  expect_refused(map_style, {.timeout = -1}, "timeout option should be non-negative");
  expect_refused(map_style,
                 {.prefetch_factor = 2},
                 "prefetch_factor option could only be specified in multiprocessing");
  expect_refused(
      map_style, {.persistent_workers = true}, "persistent_workers option needs num_workers > 0");
  expect_refused(map_style,
                 {.shuffle = true, .sampler = Indices{0}},
                 "sampler option is mutually exclusive with shuffle");
  const std::string batches = "batch_sampler option is mutually exclusive";
  expect_refused(map_style, {.sampler = Indices{0}, .batch_sampler = Lists{{0}}}, batches);
  expect_refused(map_style, {.batch_size = 11, .batch_sampler = Lists{{0}}}, batches);
  expect_refused(map_style, {.batch_size = std::nullopt, .batch_sampler = Lists{{0}}}, batches);
  expect_refused(map_style, {.shuffle = true, .batch_sampler = Lists{{0}}}, batches);
  expect_refused(map_style, {.batch_sampler = Lists{{0}}, .drop_last = true}, batches);
  expect_refused(map_style,
                 {.batch_size = std::nullopt, .drop_last = true},
                 "batch_size=nullopt option disables auto-batching and is mutually exclusive");

  const Sharded iterable({3});
  const std::string iterates = "DataLoader with IterableDataset: expected unspecified ";
  expect_refused(iterable, {.shuffle = true}, iterates + "shuffle");
  expect_refused(iterable, {.sampler = SequentialSampler(3)}, iterates + "sampler");
  expect_refused(iterable, {.batch_sampler = Lists{{0}}}, iterates + "batch_sampler");
}

// There is nothing to assign to: the observers give copies and const references.
TEST_F(TestDataLoader, invalid_assign_after_init) {
  using Loader = DataLoader<Numbers>;
  static_assert(std::is_same_v<decltype(&Loader::options),
                               const DataLoaderOptions& (Loader::*)() const noexcept>);
  static_assert(
      std::is_same_v<decltype(&Loader::sampler), const AnySampler& (Loader::*)() const noexcept>);
  static_assert(std::is_same_v<decltype(&Loader::batch_size),
                               std::optional<std::size_t> (Loader::*)() const noexcept>);

  DataLoaderOptions options{.batch_size = 2};
  const Loader loader(numbers(4), options);
  options.batch_size = 4;  // the loader has its own

  EXPECT_EQ(loader.batch_size(), 2U);
  EXPECT_EQ(loader.options().batch_size, Count(2));
  EXPECT_EQ(loader.size(), 2U);
}

TEST_F(TestDataLoader, excessive_thread_creation_warning) {
  const auto count_warnings = [](int num_workers, int passes) {
    int warnings = 0;
    DataLoader loader(
        numbers(4), {.num_workers = num_workers, .on_warning = [&](std::string_view text) {
                       EXPECT_NE(text.find("excessive worker creation might get DataLoader running "
                                           "slow or even freeze"),
                                 std::string_view::npos);
                       ++warnings;
                     }});
    EXPECT_EQ(warnings, num_workers > 0 ? 1 : 0) << "when the loader is made";
    while (passes-- > 0) {
      test_support::take_all(loader);
    }
    return warnings;
  };
  EXPECT_EQ(test_support::run_in_child([&] {
              cpu_set_t one;
              CPU_ZERO(&one);
              CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
              EXPECT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
              EXPECT_EQ(count_warnings(2, 2), 1) << "each kind of warning once for a loader";
              EXPECT_EQ(count_warnings(0, 2), 0);
              return ::testing::Test::HasFailure() ? 1 : 0;
            }),
            0);
}

// Every sample is bad: each batch is one error, then comes the end.
void expect_errors_only(std::size_t samples, const LoadingMode& mode, std::size_t batches) {
  DataLoaderOptions options = mode.options();
  options.batch_size = 2;
  DataLoader loader(
      Numbers(samples, [](std::size_t) -> std::int64_t { throw std::runtime_error("bad"); }),
      options);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<std::string> errors;
    EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors), Values(batches, -1));
    EXPECT_NE(errors.front().find("Original message: bad"), std::string::npos) << errors.front();
  }
}

TEST_F(TestDataLoader, error) {
  expect_errors_only(100, {}, 50);
}

TEST_F(TestDataLoader, error_workers) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    expect_errors_only(41, mode, 21);
  }
}

class BadStart {
 public:
  [[nodiscard]] Values iterate(const WorkerInfo& /*worker*/) const {
    throw std::runtime_error("the dataset cannot start");
  }
};

// The error has its place and the pass its end, whoever finds it.
TEST_F(TestDataLoader, error_in_init) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    std::vector<std::string> errors;
    DataLoader loader(BadStart(), mode.options());
    const auto streams = static_cast<std::size_t>(std::max(mode.num_workers, 1));
    EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors), Values(streams, -1));
    EXPECT_NE(errors.front().find("the dataset cannot start"), std::string::npos);
    if (mode.num_workers > 0) {
      DataLoaderOptions options = mode.options();
      options.worker_init_fn = [](std::size_t) { throw std::range_error("no init today"); };
      DataLoader with_init(numbers(6), options);
      errors.clear();
      EXPECT_EQ(take_with_errors(with_init, SIZE_MAX, &errors), Values(6, -1));
      EXPECT_NE(errors.back().find("std::range_error"), std::string::npos) << errors.back();
      EXPECT_NE(errors.back().find("no init today"), std::string::npos) << errors.back();
    }
  }
}

void expect_advice_where_descriptors_end(bool persistent) {
  EXPECT_EQ(test_support::run_in_child([=] {
              const rlimit few{8, 8};
              EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
              DataLoader loader(numbers(40), {.num_workers = 2, .persistent_workers = persistent});
              const std::string message =
                  message_of<ResourceError>([&] { static_cast<void>(loader.begin()); });
              EXPECT_NE(message.find("ulimit -n"), std::string::npos) << message;
              return ::testing::Test::HasFailure() ? 1 : 0;
            }),
            0);
}

TEST_F(TestDataLoader, fd_limit_exceeded) {
  expect_advice_where_descriptors_end(false);
}

using TestDataLoaderPersistentWorkers = test_support::LeavesNothing;

TEST_F(TestDataLoaderPersistentWorkers, fd_limit_exceeded) {
  expect_advice_where_descriptors_end(true);
}

}  // namespace
}  // namespace forklift
