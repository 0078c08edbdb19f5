// SPDX-License-Identifier: MIT
// Input that cannot work, in loaders: the exact type and words of what is said, where it is said,
// and that nothing is left behind. Options are in golden/GoldenConstructor, the JSON of a state in
// unit/StateDict. Semantics 2, 4.4 and 5.1.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/children.hpp"
#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::kLoadingModes;
using test_support::LoadingMode;
using test_support::message_of;
using test_support::Numbers;
using test_support::numbers;
using test_support::take;
using test_support::take_with_errors;
using test_support::Values;
using Indices = std::vector<std::size_t>;
using Lists = std::vector<Indices>;
using BadInput = test_support::LeavesNothing;

// Reads out of a vector, so that an index that is not there is an exception.
Numbers checked(std::size_t size) {
  return {size,
          [values = test_support::first_n(size)](std::size_t index) { return values.at(index); }};
}

TEST_F(BadInput, an_index_outside_of_the_dataset_is_the_getter_s_exception_at_its_place) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.sampler = Indices{0, 1, 100, 2};
    DataLoader loader(checked(3), options);
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<std::string> errors;
      EXPECT_EQ(take_with_errors(loader, SIZE_MAX, &errors), (Values{0, 1, -1, 2}));
      ASSERT_EQ(errors.size(), 1U);
      EXPECT_NE(errors[0].find("std::out_of_range"), std::string::npos) << errors[0];
      EXPECT_NE(errors[0].find("dataset index 100 (position 0 in the batch)"), std::string::npos)
          << errors[0];
    }
  }
}

TEST_F(BadInput, an_index_outside_of_a_composition_names_index_and_size) {
  const Subset parts(numbers(10), {1, 3});
  DataLoader loader(parts, {.sampler = Indices{2}});
  const std::string message = message_of<WorkerError>([&] { take(loader); });
  EXPECT_NE(message.find("forklift::InvalidOptions"), std::string::npos) << message;
  EXPECT_NE(message.find("index 2 is out of range for a Subset of 2 samples"), std::string::npos)
      << message;
}

TEST_F(BadInput, a_negative_index_of_a_sampler_ends_the_pass_behind_the_batches_before_it) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.sampler = std::vector<int>{0, 1, -7, 2};
    DataLoader loader(numbers(3), options);
    auto batch = loader.begin();
    for (std::int64_t value = 0; value < 2; ++value, ++batch) {
      ASSERT_EQ((*batch).item<std::int64_t>(), value);
    }
    const std::string message =
        message_of<InvalidOptions>([&] { static_cast<void>(batch == loader.end()); });
    EXPECT_EQ(message, "the sampler gave the index -7; indices must be 0 or more");
    ++batch;
    EXPECT_TRUE(batch == loader.end());
  }
}

TEST_F(BadInput, an_empty_list_of_a_batch_sampler_is_an_error_in_its_place) {
  const auto expect_error_between = [](const auto& dataset, const DataLoaderOptions& options) {
    DataLoader loader(dataset, options);
    for (int pass = 0; pass < 2; ++pass) {
      auto batch = loader.begin();
      ASSERT_EQ((*batch).numel(), 2);
      ++batch;
      try {
        FAIL() << (*batch).numel();
      } catch (const WorkerError& error) {
        EXPECT_EQ(error.original_type(), "forklift::InvalidOptions");
        EXPECT_EQ(error.original_message(),
                  "the batch sampler gave an empty list of indices; without a collate_fn each list "
                  "needs at least one");
        EXPECT_EQ(error.batch_index(), 1U);
        EXPECT_FALSE(error.dataset_index().has_value());
      }
      ++batch;
      EXPECT_EQ((*batch).template item<std::int64_t>(), 2);
      ++batch;
      EXPECT_TRUE(batch == loader.end());
    }
  };
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.batch_sampler = Lists{{0, 1}, {}, {2}};
    expect_error_between(numbers(3), options);
    expect_error_between(test_support::BulkRange({}), options);
  }
}

TEST_F(BadInput, an_empty_list_of_a_batch_sampler_is_a_batch_of_no_samples_to_a_collate_fn) {
  const auto count = [](const Values& samples) {
    return static_cast<std::int64_t>(samples.size());
  };
  const auto sizes_of = [&](const auto& dataset, const DataLoaderOptions& options) {
    DataLoader loader(dataset, options, count);
    Values sizes;
    for (const std::int64_t size : loader) {
      sizes.push_back(size);
    }
    return sizes;
  };
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.batch_sampler = Lists{{}, {0, 1}, {}, {}, {2}};
    EXPECT_EQ(sizes_of(numbers(3), options), (Values{0, 2, 0, 0, 1}));
    EXPECT_EQ(sizes_of(test_support::BulkRange({}), options), (Values{0, 2, 0, 0, 1}));
  }
}

// A sampler without end.
struct Endless {
  struct Cursor {
    std::size_t index = 0;
    std::optional<std::size_t> next() { return index++ % 10; }
  };
  [[nodiscard]] static Cursor iterate() { return {}; }
};

TEST_F(BadInput, an_infinite_sampler_can_be_left_and_begun_anew) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.batch_size = 4;
    options.sampler = Endless();
    DataLoader loader(numbers(10), options);
    for (int pass = 0; pass < 3; ++pass) {
      EXPECT_EQ(take(loader, 4), (Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5}));
    }
    EXPECT_EQ(message_of<StateError>([&] { static_cast<void>(loader.size()); }),
              "the sampler of this loader has no size(), so the number of batches is not known");
  }
}

TEST_F(BadInput, weights_are_named_by_place_and_value) {
  const auto message = [](std::vector<double> weights, Count num_samples, bool replacement) {
    return message_of<InvalidOptions>([&] {
      const DataLoader loader(
          numbers(2),
          {.sampler = WeightedRandomSampler(weights, num_samples, {.replacement = replacement})});
    });
  };
  const std::string rule = "; weights must be finite and 0 or more";
  const std::string cumulative =
      "invalid multinomial distribution (encountering probability entry ";
  EXPECT_EQ(message({1, -1}, 2, true), cumulative + "< 0): weights[1] is -1" + rule);
  EXPECT_EQ(message({NAN, 1}, 2, true),
            cumulative + "= infinity or NaN): weights[0] is nan" + rule);
  EXPECT_EQ(
      message({1, std::numeric_limits<double>::infinity()}, 2, false),
      "probability tensor contains either `inf`, `nan` or element < 0: weights[1] is inf" + rule);
  EXPECT_NE(message({0, 0}, 2, true).find("(sum of probabilities <= 0)"), std::string::npos);
  EXPECT_NE(message({1, 1}, 3, false)
                .find("cannot sample n_sample > prob_dist.size(-1) samples without replacement"),
            std::string::npos);
  EXPECT_EQ(message({1, 1}, 0, true),
            "num_samples should be a positive integer value, but got num_samples=0");
}

TEST_F(BadInput, more_than_2_to_the_24_weights_work_in_a_loader) {
  std::vector<double> weights((std::size_t{1} << 24U) + 1);
  weights.back() = 1;
  const auto last = static_cast<std::int64_t>(weights.size() - 1);
  const std::size_t size = weights.size();
  DataLoader loader(numbers(size),
                    {.batch_size = 2, .sampler = WeightedRandomSampler(std::move(weights), 2)});
  EXPECT_EQ(take(loader), (Values{last, last}));
}

TEST_F(BadInput, a_rank_that_is_no_replica_is_refused) {
  EXPECT_EQ(
      message_of<InvalidOptions>([] { DistributedSampler(10, {.num_replicas = 2, .rank = 2}); }),
      "Invalid rank 2, rank should be in the interval [0, 1]");
}

TEST_F(BadInput, splits_and_compositions_name_both_sizes) {
  EXPECT_EQ(message_of<InvalidOptions>([] {
              static_cast<void>(random_split(numbers(10), {0.5, 0.4}));
            }),
            "Sum of input lengths does not equal the length of the input dataset! The lengths sum "
            "up to 0.9, the dataset has 10 samples");
  EXPECT_EQ(message_of<InvalidOptions>([] {
              Subset(numbers(10), {3, 10});
            }),
            "index 10 at position 1 of a Subset is out of range for a dataset of 10 samples");
  EXPECT_EQ(message_of<InvalidOptions>([] { StackDataset(numbers(10), numbers(11)); }),
            "Size mismatch between datasets: number 0 has 10, number 1 has 11");
}

}  // namespace
}  // namespace forklift
