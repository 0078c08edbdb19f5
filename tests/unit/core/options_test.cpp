// SPDX-License-Identifier: MIT
// The check of the options: which error wins, after PyTorch's DataLoader.__init__ (its cases that
// C++ can express). Semantics 1.1 and 10.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"

#include <forklift/detail/resolved_options.hpp>
#include <forklift/error.hpp>
#include <forklift/options.hpp>

namespace forklift {
namespace {

using Options = DataLoaderOptions;
using Indices = std::vector<std::size_t>;
using Lists = std::vector<std::vector<std::size_t>>;

detail::ResolvedOptions resolve(const Options& options, std::size_t size = 3) {
  return detail::resolve(options, {.size = [size] { return size; }});
}

/// The message of the InvalidOptions that `options` give.
std::string error_of(const Options& options, std::size_t size = 3) {
  try {
    static_cast<void>(resolve(options, size));
  } catch (const InvalidOptions& error) {
    return error.what();
  }
  return "no error";
}

testing::AssertionResult refuses(const Options& options,
                                 const std::string& fragment,
                                 std::size_t size = 3) {
  const std::string message = error_of(options, size);
  return (message.find(fragment) != std::string::npos ? testing::AssertionSuccess()
                                                      : testing::AssertionFailure())
         << message;
}

std::vector<std::vector<std::size_t>> batches_of(const detail::ResolvedOptions& options) {
  Lists lists;
  Indices indices;
  for (const auto cursor = options.batches.iterate(); cursor->next(indices);) {
    lists.push_back(indices);
  }
  return lists;
}

TEST(Options, have_the_defaults_of_pytorch) {
  const auto resolved = resolve({});

  EXPECT_EQ(resolved.batch_size, 1U);
  EXPECT_EQ(resolved.num_workers, 0U);
  EXPECT_EQ(resolved.prefetch_factor, 0U);
  EXPECT_EQ(resolved.window(), 1U);
  EXPECT_FALSE(resolved.drop_last || resolved.persistent_workers);
  EXPECT_TRUE(resolved.in_order);
  EXPECT_FALSE(resolved.timeout.has_value() || resolved.max_ring_bytes.has_value());
  EXPECT_EQ(batches_of(resolved), (Lists{{0}, {1}, {2}}));
}

TEST(Options, ask_for_two_batches_ahead_of_each_worker) {
  EXPECT_EQ(resolve({.num_workers = 3}).prefetch_factor, 2U);
  EXPECT_EQ(resolve({.num_workers = 3}).window(), 6U);
  EXPECT_EQ(resolve({.num_workers = 3, .prefetch_factor = 5}).window(), 15U);
}

TEST(Options, refuse_a_negative_number_of_workers_first_of_all) {
  EXPECT_TRUE(refuses({.num_workers = -1}, "num_workers option should be non-negative"));
  EXPECT_TRUE(
      refuses({.num_workers = -1, .timeout = -1}, "num_workers option should be non-negative"));
  EXPECT_TRUE(refuses({.num_workers = -1}, "num_workers=-1"));
  EXPECT_TRUE(refuses({.num_workers = 257}, "at most 256"));
  EXPECT_TRUE(refuses({.num_workers = UINT64_MAX}, "num_workers=18446744073709551615"));
  EXPECT_EQ(resolve({.num_workers = 256}).num_workers, 256U);
}

TEST(Options, refuse_a_timeout_that_is_no_length_of_time) {
  EXPECT_TRUE(refuses({.timeout = -1}, "timeout option should be non-negative"));
  EXPECT_TRUE(
      refuses({.timeout = -1, .prefetch_factor = 2}, "timeout option should be non-negative"));
  EXPECT_TRUE(refuses({.num_workers = 1, .timeout = std::nan("")}, "timeout=nan"));
  EXPECT_TRUE(refuses({.num_workers = 1, .timeout = std::numeric_limits<double>::infinity()},
                      "timeout option should be at most"));
  EXPECT_TRUE(
      refuses({.num_workers = 1, .timeout = std::chrono::milliseconds(-1)}, "timeout=-0.001"));
}

TEST(Options, refuse_a_timeout_without_workers) {
  EXPECT_TRUE(refuses({.timeout = 5}, "requires timeout == 0"));
}

TEST(Options, never_round_a_timeout_down_to_none) {
  using std::chrono::nanoseconds;
  EXPECT_EQ(resolve({.num_workers = 1, .timeout = 1e-12}).timeout, nanoseconds(1));
  EXPECT_EQ(resolve({.num_workers = 1, .timeout = 2.5}).timeout, nanoseconds(2'500'000'000));
  EXPECT_FALSE(resolve({.num_workers = 1, .timeout = 0}).timeout.has_value());
  EXPECT_FALSE(resolve({.num_workers = 1, .timeout = -0.0}).timeout.has_value());
}

TEST(Options, refuse_a_prefetch_factor_without_workers_even_a_bad_one) {
  for (const int factor : {0, 2, -1}) {
    EXPECT_TRUE(refuses({.prefetch_factor = factor},
                        "prefetch_factor option could only be specified in multiprocessing"));
  }
  EXPECT_TRUE(refuses({.prefetch_factor = 2, .persistent_workers = true},
                      "prefetch_factor option could only be specified in multiprocessing"));
}

TEST(Options, refuse_a_prefetch_factor_that_is_not_positive) {
  EXPECT_TRUE(refuses({.num_workers = 1, .prefetch_factor = -1},
                      "prefetch_factor option should be non-negative"));
  EXPECT_TRUE(
      refuses({.num_workers = 1, .prefetch_factor = 0}, "prefetch_factor must be greater than 0"));
}

TEST(Options, bound_the_batches_ahead_without_wrapping_around) {
  EXPECT_EQ(resolve({.num_workers = 2, .prefetch_factor = 32768}).window(), 65536U);
  EXPECT_TRUE(refuses({.num_workers = 2, .prefetch_factor = 32769}, "at most 65536 batches"));
  EXPECT_TRUE(refuses({.num_workers = 2, .prefetch_factor = std::uint64_t{1} << 63},
                      "at most 65536 batches"));
}

TEST(Options, refuse_persistent_workers_without_workers) {
  EXPECT_TRUE(
      refuses({.persistent_workers = true}, "persistent_workers option needs num_workers > 0"));
  EXPECT_TRUE(resolve({.num_workers = 1, .persistent_workers = true}).persistent_workers);
}

TEST(Options, refuse_a_sampler_together_with_shuffle) {
  EXPECT_TRUE(refuses({.shuffle = true, .sampler = Indices{0}},
                      "sampler option is mutually exclusive with shuffle"));
  EXPECT_TRUE(refuses({.shuffle = true, .sampler = Indices{0}, .batch_sampler = Lists{{0}}},
                      "sampler option is mutually exclusive with shuffle"));
  EXPECT_EQ(batches_of(resolve({.shuffle = false, .sampler = Indices{2, 0}})), (Lists{{2}, {0}}));
}

TEST(Options, refuse_a_batch_sampler_together_with_what_it_replaces) {
  const std::string fragment =
      "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last";
  const AnyBatchSampler lists = Lists{{0}};

  EXPECT_TRUE(refuses({.sampler = Indices{0}, .batch_sampler = lists}, fragment));
  EXPECT_TRUE(refuses({.batch_size = 2, .batch_sampler = lists}, fragment));
  EXPECT_TRUE(refuses({.batch_size = 0, .batch_sampler = lists}, fragment));
  EXPECT_TRUE(refuses({.batch_size = std::nullopt, .batch_sampler = lists}, fragment));
  EXPECT_TRUE(refuses({.shuffle = true, .batch_sampler = lists}, fragment));
  EXPECT_TRUE(refuses({.batch_sampler = lists, .drop_last = true}, fragment));
}

TEST(Options, take_a_batch_sampler_with_the_default_batch_size) {
  const auto resolved = resolve({.batch_size = 1, .batch_sampler = Lists{{2, 1}, {0}}});

  EXPECT_FALSE(resolved.batch_size.has_value());
  EXPECT_FALSE(resolved.sampler);
  EXPECT_EQ(batches_of(resolved), (Lists{{2, 1}, {0}}));
}

TEST(Options, refuse_drop_last_without_batches) {
  const std::string fragment = "disables auto-batching and is mutually exclusive with drop_last";
  EXPECT_TRUE(refuses({.batch_size = std::nullopt, .drop_last = true}, fragment));
  EXPECT_TRUE(
      refuses({.batch_size = std::nullopt, .shuffle = true, .drop_last = true}, fragment, 0));
}

TEST(Options, refuse_a_batch_size_that_is_not_positive) {
  EXPECT_TRUE(refuses({.batch_size = 0},
                      "batch_size should be a positive integer value, but got batch_size=0"));
  EXPECT_TRUE(refuses({.batch_size = -1},
                      "batch_size should be a positive integer value, but got batch_size=-1"));
}

TEST(Options, refuse_to_shuffle_an_empty_dataset_before_they_look_at_the_batch_size) {
  const std::string fragment =
      "num_samples should be a positive integer value, but got num_samples=0";
  EXPECT_TRUE(refuses({.shuffle = true}, fragment, 0));
  EXPECT_TRUE(refuses({.batch_size = 0, .shuffle = true}, fragment, 0));
  EXPECT_TRUE(batches_of(resolve({}, 0)).empty());
}

TEST(Options, take_a_batch_larger_than_the_dataset) {
  EXPECT_EQ(batches_of(resolve({.batch_size = std::uint64_t{1} << 40})), (Lists{{0, 1, 2}}));
  EXPECT_TRUE(batches_of(resolve({.batch_size = 4, .drop_last = true})).empty());
}

TEST(Options, without_batches_are_lists_of_one_index) {
  const auto resolved = resolve({.batch_size = std::nullopt});
  EXPECT_TRUE(resolved.is_single);
  EXPECT_FALSE(resolved.batch_size.has_value());
  EXPECT_EQ(batches_of(resolved), (Lists{{0}, {1}, {2}}));
  EXPECT_FALSE(resolve({}).is_single);
}

// Semantics 1.2, number 6: before the general checks of the samplers.
TEST(Options, of_an_iterable_dataset_name_no_order) {
  const auto error_of_iterable = [](const Options& options) {
    return test_support::message_of<InvalidOptions>([&] {
      static_cast<void>(detail::resolve(options, {.size = std::size_t{0}, .is_iterable = true}));
    });
  };
  const auto begins_with = [](const std::string& text, const std::string& beginning) {
    return text.substr(0, beginning.size()) == beginning ? beginning : text;
  };
  const std::string words = "DataLoader with IterableDataset: expected unspecified ";
  const std::string shuffle = words + "shuffle option, but got shuffle=true";
  const std::string sampler = words + "sampler option, but got";
  const std::string batch_sampler = words + "batch_sampler option, but got";
  EXPECT_EQ(begins_with(error_of_iterable({.shuffle = true}), shuffle), shuffle);
  EXPECT_EQ(begins_with(error_of_iterable({.shuffle = true, .sampler = Indices{0}}), shuffle),
            shuffle);
  EXPECT_EQ(
      begins_with(error_of_iterable({.sampler = Indices{0}, .batch_sampler = Lists{{0}}}), sampler),
      sampler);
  EXPECT_EQ(begins_with(error_of_iterable({.batch_sampler = Lists{{0}}}), batch_sampler),
            batch_sampler);
  EXPECT_NE(error_of_iterable({.batch_size = 0}).find("positive integer value"), std::string::npos);
  EXPECT_NE(
      error_of_iterable({.batch_size = std::nullopt, .drop_last = true}).find("mutually exclusive"),
      std::string::npos);
}

TEST(Options, refuse_a_ring_whose_slots_would_be_too_small) {
  EXPECT_TRUE(refuses({.max_ring_bytes = 3 * 65536 - 1},
                      "max_ring_bytes option should be at least 196608"));
  EXPECT_TRUE(refuses({.num_workers = 2, .max_ring_bytes = 6 * 65536 - 1}, "at least 393216"));
  EXPECT_TRUE(refuses({.max_ring_bytes = -1}, "max_ring_bytes=-1"));
  EXPECT_EQ(resolve({.num_workers = 2, .max_ring_bytes = 6 * 65536}).max_ring_bytes, 6U * 65536U);
}

TEST(Options, keep_the_users_functions_and_generator) {
  const auto resolved = resolve({.worker_init_fn = [](std::size_t) {},
                                 .generator = Generator(7),
                                 .in_order = false,
                                 .on_warning = [](std::string_view) {}});

  EXPECT_TRUE(resolved.worker_init_fn && resolved.on_warning);
  EXPECT_TRUE(resolved.generator.has_value());
  EXPECT_FALSE(resolved.in_order);
}

}  // namespace
}  // namespace forklift
