// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py, TestDataLoader: samplers, alone and in a loader. Semantics 1.1,
// 1.3, 2, 4.4 and 4.5; the numbers themselves are in golden/.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/labelled.hpp"
#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/one_pass.hpp"
#include "support/resume.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::first_n;
using test_support::indices_of;
using test_support::joined;
using test_support::kLoadingModes;
using test_support::labelled;
using test_support::LoadingMode;
using test_support::message_of;
using test_support::numbers;
using test_support::one_pass;
using test_support::take;
using test_support::Values;
using Indices = std::vector<std::size_t>;
using TestDataLoader = test_support::LeavesNothing;

// Two passes in which each sample comes once, whole and with its label, in an order that is none.
void expect_shuffled(DataLoaderOptions options, std::optional<std::size_t> batch_size) {
  options.batch_size = batch_size;
  options.shuffle = true;
  DataLoader loader(labelled(), options);
  Values before = first_n(100);
  for (int pass = 0; pass < 2; ++pass) {
    Values seen;
    for (const auto& batch : loader) {
      const auto& [images, labels] = batch;
      const Values indices = batch_size.has_value()
                                 ? indices_of(batch)
                                 : indices_of({images.reshape({1, 2, 3, 5}), labels.reshape({1})});
      seen.insert(seen.end(), indices.begin(), indices.end());
    }
    EXPECT_NE(seen, before);
    before = seen;
    std::ranges::sort(seen);
    EXPECT_EQ(seen, first_n(100));
  }
}

TEST_F(TestDataLoader, shuffle) {
  expect_shuffled({}, 1);
}

TEST_F(TestDataLoader, shuffle_batch_none) {
  for (const LoadingMode& mode : kLoadingModes) {
    expect_shuffled(mode.options(), std::nullopt);
  }
}

TEST_F(TestDataLoader, shuffle_batch) {
  expect_shuffled({}, 2);
}

TEST_F(TestDataLoader, shuffle_workers) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    expect_shuffled(mode.options(), 1);
  }
}

TEST_F(TestDataLoader, shuffle_batch_workers) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    expect_shuffled(mode.options(), 2);
  }
}

TEST_F(TestDataLoader, shuffle_batch_workers_prefetch) {
  for (const int prefetch_factor : {1, 3, 8}) {
    expect_shuffled({.num_workers = 2, .prefetch_factor = prefetch_factor}, 2);
  }
}

TEST_F(TestDataLoader, shuffle_reproducibility) {
  for (const int num_workers : {0, 2}) {
    const auto pass = [num_workers] {
      DataLoader loader(numbers(100),
                        {.shuffle = true, .num_workers = num_workers, .generator = Generator(42)});
      return take(loader);
    };
    EXPECT_EQ(pass(), pass());
  }
}

std::size_t most_often(const Indices& indices) {
  Indices counts(100);
  for (const std::size_t index : indices) {
    ++counts.at(index);
  }
  return *std::ranges::max_element(counts);
}

TEST_F(TestDataLoader, random_sampler) {
  EXPECT_GT(most_often(one_pass(RandomSampler(100, {.replacement = true}))), 1U);
  for (const std::size_t num_samples : {100U, 200U, 99U, 101U}) {
    for (const bool replacement : {false, true}) {
      const RandomSampler sampler(100, {.replacement = replacement, .num_samples = num_samples});
      const Indices indices = one_pass(sampler);
      EXPECT_EQ(sampler.size(), num_samples);
      EXPECT_EQ(indices.size(), num_samples);
      if (!replacement) {
        EXPECT_EQ(most_often(indices), (num_samples + 99) / 100);
      }
    }
  }
  EXPECT_EQ(message_of<InvalidOptions>([] { RandomSampler(100, {.num_samples = 0}); }),
            "num_samples should be a positive integer value, but got num_samples=0");
  // Upstream finds a generator or a text in place of a bool when it runs.
  static_assert(!std::is_constructible_v<RandomSamplerOptions, std::string>);
  static_assert(!std::is_convertible_v<bool, Count>, "num_samples is no bool");
}

// The samples of a loader whose batches have one and six of them.
void expect_samples(const RandomSampler& sampler, std::size_t expected) {
  for (const std::size_t batch_size : {1U, 6U}) {
    DataLoader loader(numbers(100), {.batch_size = batch_size, .sampler = sampler});
    EXPECT_EQ(loader.size(), (expected + batch_size - 1) / batch_size);
    EXPECT_EQ(take(loader).size(), expected);
  }
}

TEST_F(TestDataLoader, random_sampler_len_with_replacement) {
  expect_samples(RandomSampler(100, {.replacement = true}), 100);
  expect_samples(RandomSampler(100, {.replacement = true, .num_samples = 105}), 105);
}

TEST_F(TestDataLoader, random_sampler_len_without_replacement) {
  expect_samples(RandomSampler(100), 100);
  expect_samples(RandomSampler(100, {.num_samples = 1}), 1);
  expect_samples(RandomSampler(100, {.num_samples = 105}), 105);
}

TEST_F(TestDataLoader, distributed_sampler_invalid_rank) {
  for (const int rank : {3, -1}) {
    EXPECT_EQ(message_of<InvalidOptions>(
                  [&] { DistributedSampler(100, {.num_replicas = 3, .rank = rank}); }),
              "Invalid rank " + std::to_string(rank) + ", rank should be in the interval [0, 2]");
  }
}

TEST_F(TestDataLoader, duplicating_data_with_drop_last) {
  Values scanned;
  for (int rank = 0; rank < 4; ++rank) {
    DataLoader loader(
        numbers(36),
        {.batch_size = 2,
         .sampler = DistributedSampler(36, {.num_replicas = 4, .rank = rank, .shuffle = false}),
         .drop_last = true});
    const Values share = take(loader);
    EXPECT_EQ(share.size(), 8U) << "9 of them, less the batch that is not full";
    scanned = joined(scanned, share);
  }
  std::ranges::sort(scanned);
  EXPECT_EQ(std::ranges::adjacent_find(scanned), scanned.end()) << "none comes twice";
}

TEST_F(TestDataLoader, sampler_reproducibility) {
  const std::vector<double> weights{0.1, 0.9, 0.4, 0.7, 3.0, 0.6};
  const auto samplers = [&](const std::optional<Generator>& generator) {
    return std::vector<AnySampler>{
        RandomSampler(100, {.replacement = true, .num_samples = 5, .generator = generator}),
        RandomSampler(100, {.generator = generator}),
        WeightedRandomSampler(weights, 5, {.generator = generator}),
        WeightedRandomSampler(weights, 5, {.replacement = false, .generator = generator}),
        SubsetRandomSampler(Indices{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {.generator = generator})};
  };
  const auto pass_of = [](const AnySampler& sampler) {
    Indices indices;
    sampler.iterate()->append(1000, indices);
    return indices;
  };
  for (std::size_t i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(pass_of(samplers(Generator(42))[i]), pass_of(samplers(Generator(42))[i]));

    const AnySampler sampler = samplers(std::nullopt)[i];
    manual_seed(0);
    const std::pair before{pass_of(sampler), pass_of(sampler)};
    EXPECT_NE(before.first, before.second) << "the default generator has moved on";
    manual_seed(0);
    const std::pair after{pass_of(sampler), pass_of(sampler)};
    EXPECT_EQ(after, before);

    const auto one = sampler.iterate();  // two passes that take turns, after one seed each
    const auto two = sampler.iterate();
    Indices first;
    Indices second;
    for (std::size_t index = 0; index < *sampler.size(); ++index) {
      for (auto& [cursor, indices] : {std::pair(one.get(), &first), {two.get(), &second}}) {
        if (index == 0) {
          manual_seed(0);
        }
        cursor->append(1, *indices);
      }
    }
    EXPECT_EQ(first, before.first);
    EXPECT_EQ(second, before.first);
  }
}

TEST_F(TestDataLoader, sampler) {
  for (const LoadingMode& mode : kLoadingModes) {
    DataLoaderOptions options = mode.options();
    options.batch_size = 2;
    options.sampler = std::vector<int>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    DataLoader loader(labelled(), options);
    EXPECT_EQ(loader.size(), 5U);
    for (int pass = 0; pass < 2; ++pass) {
      std::int64_t index = 2;
      for (const auto& batch : loader) {
        EXPECT_EQ(indices_of(batch), (Values{index, index + 1}));
        index += 2;
      }
      EXPECT_EQ(index, 12);
    }
  }
}

TEST_F(TestDataLoader, batch_sampler) {
  const std::vector<Values> lists{{0, 1}, {2, 3, 4}, {5, 6}, {7, 8, 9}};
  for (const LoadingMode& mode : kLoadingModes) {
    DataLoaderOptions options = mode.options();
    options.batch_sampler = lists;
    DataLoader loader(labelled(), options);
    EXPECT_EQ(loader.size(), 4U);
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<Values> seen;
      for (const auto& batch : loader) {
        seen.push_back(indices_of(batch));
      }
      EXPECT_EQ(seen, lists);
    }
  }
}

}  // namespace
}  // namespace forklift
