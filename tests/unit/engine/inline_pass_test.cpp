// SPDX-License-Identifier: MIT
// A pass without workers, through the public DataLoader. Semantics 1.1, 3.1, 3.2 and 3.3.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "numbers.hpp"

#include <forklift/data_loader.hpp>
#include <forklift/generator.hpp>
#include <forklift/sample_rng.hpp>
#include <forklift/tensor.hpp>
#include <forklift/worker_info.hpp>

namespace forklift {
namespace {

using test::all;
using test::Numbers;
using test::values;

TEST(InlinePass, gives_the_samples_in_order_with_a_short_last_batch) {
  DataLoader loader(Numbers{}, {.batch_size = 4});
  std::vector<std::vector<std::int64_t>> batches;
  for (const Tensor& batch : loader) {
    batches.push_back(values(batch));
  }

  EXPECT_EQ(batches, (std::vector<std::vector<std::int64_t>>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}}));
  EXPECT_EQ(loader.size(), 3U);
}

TEST(InlinePass, leaves_out_a_short_last_batch_if_asked_to) {
  DataLoader loader(Numbers{}, {.batch_size = 4, .drop_last = true});

  EXPECT_EQ(all(loader), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(loader.size(), 2U);
}

TEST(InlinePass, gives_nothing_of_an_empty_dataset) {
  DataLoader loader(Numbers{0}, {.batch_size = 4});

  EXPECT_TRUE(all(loader).empty());
  EXPECT_EQ(loader.size(), 0U);
}

TEST(InlinePass, reads_no_sample_before_its_batch_is_wanted) {
  struct Counting {
    int* reads;
    [[nodiscard]] static std::size_t size() { return 6; }
    [[nodiscard]] int get(std::size_t) const { return ++*reads; }
  };
  int reads = 0;
  DataLoader loader(Counting{&reads}, {.batch_size = 2});

  auto it = loader.begin();
  EXPECT_EQ(reads, 0);
  EXPECT_FALSE(it == std::default_sentinel);
  EXPECT_EQ(reads, 2);
}

TEST(InlinePass, keeps_batches_that_the_user_keeps) {
  DataLoader loader(Numbers{100}, {.batch_size = 5});
  std::vector<Tensor> kept;
  for (const Tensor& batch : loader) {
    kept.push_back(batch);
  }
  // Another pass goes over the same ring.
  EXPECT_EQ(all(loader).size(), 100U);

  ASSERT_EQ(kept.size(), 20U);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto first = static_cast<std::int64_t>(5 * i);
    EXPECT_EQ(values(kept[i]),
              (std::vector<std::int64_t>{first, first + 1, first + 2, first + 3, first + 4}));
  }
}

TEST(InlinePass, outlives_its_loader_and_its_batches_outlive_it) {
  std::optional<Tensor> batch;
  {
    auto loader =
        std::make_unique<DataLoader<Numbers>>(Numbers{}, DataLoaderOptions{.batch_size = 5});
    auto it = loader->begin();
    loader.reset();
    ++it;
    batch = *it;
  }
  EXPECT_EQ(values(*batch), (std::vector<std::int64_t>{5, 6, 7, 8, 9}));
}

TEST(InlinePass, runs_beside_another_pass_of_the_same_loader) {
  DataLoader loader(Numbers{}, {.batch_size = 5});
  auto first = loader.begin();
  const Tensor kept = *first;
  auto second = loader.begin();

  EXPECT_EQ(values(*second), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  ++first;
  ++second;
  EXPECT_EQ(values(*first), values(*second));
  EXPECT_EQ(values(kept), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST(InlinePass, opens_the_dataset_once_as_the_only_worker) {
  struct Opened {
    std::vector<WorkerInfo>* infos;
    [[nodiscard]] static std::size_t size() { return 2; }
    [[nodiscard]] static bool get(std::size_t) { return get_worker_info() == nullptr; }
    void open(const WorkerInfo& info) const { infos->push_back(info); }
  };
  std::vector<WorkerInfo> infos;
  DataLoader loader(Opened{&infos}, {.batch_size = 2});
  EXPECT_TRUE(infos.empty());

  for (int pass = 0; pass < 2; ++pass) {
    for (const Tensor& batch : loader) {
      EXPECT_EQ(values<bool>(batch), (std::vector<bool>{true, true}));
    }
  }

  ASSERT_EQ(infos.size(), 1U);
  EXPECT_EQ(infos[0].id, 0U);
  EXPECT_EQ(infos[0].num_workers, 1U);
}

TEST(InlinePass, prefers_the_bulk_getter) {
  struct Bulk {
    [[nodiscard]] static std::size_t size() { return 5; }
    [[nodiscard]] static std::int64_t get(std::size_t) { return -1; }
    [[nodiscard]] static std::vector<std::int64_t> get_batch(std::span<const std::size_t> indices) {
      std::vector<std::int64_t> samples(indices.begin(), indices.end());
      samples.push_back(100);
      return samples;
    }
  };
  DataLoader loader(Bulk{}, {.batch_size = 3});

  // The length of what the getter gives is not checked, as in PyTorch.
  EXPECT_EQ(all(loader), (std::vector<std::int64_t>{0, 1, 2, 100, 3, 4, 100}));
}

TEST(InlinePass, gives_each_sample_random_numbers_of_its_own_in_each_epoch) {
  struct Random {
    [[nodiscard]] static std::size_t size() { return 4; }
    [[nodiscard]] static std::int64_t get(std::size_t, SampleRng& rng) {
      return rng.below(std::int64_t{1} << 40);
    }
  };
  const auto passes = [](std::size_t batch_size) {
    DataLoader loader(Random{}, {.batch_size = batch_size, .generator = Generator(7)});
    return std::pair(all(loader), all(loader));
  };

  const auto [first, second] = passes(1);
  EXPECT_EQ(passes(3), std::pair(first, second));
  EXPECT_NE(first, second);
  auto sorted = first;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
}

TEST(InlinePass, takes_the_epoch_that_it_is_told) {
  struct Random {
    [[nodiscard]] static std::size_t size() { return 4; }
    [[nodiscard]] static std::int64_t get(std::size_t, SampleRng& rng) {
      return rng.below(std::int64_t{1} << 40);
    }
  };
  DataLoader loader(Random{}, {.batch_size = 2, .generator = Generator(7)});
  const auto epoch_0 = all(loader);
  const auto epoch_1 = all(loader);

  loader.set_epoch(0);

  EXPECT_EQ(all(loader), epoch_0);
  EXPECT_EQ(all(loader), epoch_1);
}

}  // namespace
}  // namespace forklift
