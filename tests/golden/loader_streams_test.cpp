// SPDX-License-Identifier: MIT
// Whole loaders against PyTorch, continued: the short entries, samplers of the user's, the stream
// at the moment of a break, and the workers of a second epoch. Semantics 1.1, 3.4, 3.6, 4.5, 4.6,
// 4.7 and 10.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/made_dataset.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using Numbers = test_support::Made<std::int64_t>;
using Values = std::vector<std::int64_t>;

// Seeds the default generator, or makes one to give to the loader.
std::optional<Generator> seeded(bool is_explicit, std::uint64_t seed) {
  if (is_explicit) {
    return Generator(seed);
  }
  manual_seed(seed);
  return std::nullopt;
}

std::uint64_t draw(std::optional<Generator>& generator) {
  return generator.has_value() ? generator->random63() : default_generator().random63();
}

DataLoader<Numbers> ten(const DataLoaderOptions& options) {
  return DataLoader<Numbers>(
      Numbers(10, [](std::size_t index) { return static_cast<std::int64_t>(index); }), options);
}

Values take(DataLoader<Numbers>& loader, std::size_t num_batches) {
  Values values;
  std::size_t taken = 0;
  for (auto batch = loader.begin(); taken < num_batches && batch != loader.end(); ++taken) {
    const auto data = (*batch).data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
    if (taken + 1 < num_batches) {
      ++batch;
    }
  }
  return values;
}

constexpr std::size_t kAll = 1000;

TEST(GoldenLoaderStreams, shuffles_three_epochs_as_pytorch_does) {
  for (const bool is_explicit : {false, true}) {
    for (const auto& [workers, persistent] : {std::pair{0, 0}, {2, 0}, {2, 1}}) {
      const std::string name = std::string("shuffle_") + (is_explicit ? "gen" : "default") +
                               "_seed0_n10_bs3_nw" + std::to_string(workers) + "_pw" +
                               std::to_string(persistent);
      auto generator = seeded(is_explicit, 0);
      auto loader = ten({.batch_size = 3,
                         .shuffle = true,
                         .num_workers = workers,
                         .generator = generator,
                         .persistent_workers = persistent != 0});
      for (const json& epoch : test::golden(name)) {
        EXPECT_EQ(take(loader, kAll), epoch.get<Values>()) << name;
      }
    }
  }
}

TEST(GoldenLoaderStreams, goes_on_after_a_break_as_pytorch_does) {
  struct Case {
    int workers;
    int prefetch;
    std::size_t after;
  };
  for (const Case& each :
       {Case{0, 0, 2}, Case{0, 0, 5}, Case{1, 2, 2}, Case{1, 2, 3}, Case{2, 2, 2}, Case{2, 2, 1}}) {
    const std::string name = "break_gen_seed0_n10_bs2_nw" + std::to_string(each.workers) + "_pf" +
                             std::to_string(each.prefetch) + "_after" + std::to_string(each.after);
    DataLoaderOptions options{
        .batch_size = 2, .shuffle = true, .num_workers = each.workers, .generator = Generator(0)};
    if (each.workers > 0) {
      options.prefetch_factor = each.prefetch;
    }
    auto loader = ten(options);
    EXPECT_EQ(take(loader, each.after), test::golden(name).at(0).get<Values>()) << name;
    EXPECT_EQ(take(loader, kAll), test::golden(name).at(1).get<Values>()) << name;
  }
}

TEST(GoldenLoaderStreams, has_pytorchs_stream_at_the_moment_of_a_break) {
  std::size_t compared = 0;
  for (const json& entry : test::golden("early_break_cases")) {
    auto generator =
        seeded(entry.at("generator") == "explicit", entry.at("seed").get<std::uint64_t>());
    DataLoaderOptions options{.batch_size = entry.at("batch_size").get<int>(),
                              .shuffle = true,
                              .num_workers = entry.at("num_workers").get<int>(),
                              .generator = generator,
                              .persistent_workers = entry.at("persistent").get<bool>(),
                              .on_warning = [](std::string_view) {}};
    if (!entry.at("prefetch_factor").is_null()) {
      options.prefetch_factor = entry.at("prefetch_factor").get<int>();
    }
    auto loader = ten(options);
    auto batch = loader.begin();
    for (std::size_t left = entry.at("batches_taken").get<std::size_t>(); left > 0; --left) {
      ASSERT_FALSE(batch == loader.end());
      ++batch;
    }
    EXPECT_EQ(draw(generator), entry.at("next63_at_break").get<std::uint64_t>()) << entry.dump();
    ++compared;
  }
  EXPECT_EQ(compared, 80U);
}

TEST(GoldenLoaderStreams, takes_random_samplers_of_the_user_as_pytorch_does) {
  std::size_t compared = 0;
  for (const json& entry : test::golden("loader_epoch_cases")) {
    const json& which = entry.at("sampler");
    if (which != "random_no_generator" && which != "random_generator7") {
      continue;
    }
    manual_seed(entry.at("default_seed").get<std::uint64_t>());
    std::optional<Generator> own;
    if (entry.at("generator") == "explicit") {
      own.emplace(entry.at("seed").get<std::uint64_t>());
    }
    RandomSamplerOptions random;
    if (which == "random_generator7") {
      random.generator = Generator(7);
    }
    auto loader = ten({.batch_size = 3,
                       .sampler = RandomSampler(10, random),
                       .num_workers = entry.at("num_workers").get<int>(),
                       .generator = own});
    for (const json& epoch : entry.at("epochs")) {
      Values expected;
      for (const json& batch : epoch.at("batches")) {
        for (const json& value : batch) {
          expected.push_back(value.get<std::int64_t>());
        }
      }
      EXPECT_EQ(take(loader, kAll), expected) << entry.dump();
    }
    ++compared;
  }
  EXPECT_EQ(compared, 8U);
}

// Worker, seed and two draws of each sample.
using Draws = DataLoader<test_support::Made<Values>>;
Draws make_draws(std::size_t size,
                 int num_workers,
                 const std::optional<Generator>& generator,
                 bool persistent) {
  const auto make = [](std::size_t) -> Values {
    const WorkerInfo* info = get_worker_info();
    const auto number = default_generator().randint(0, 1000);
    const std::uint64_t large = default_generator().random63();
    return {static_cast<std::int64_t>(info->id),
            static_cast<std::int64_t>(info->seed),
            number,
            static_cast<std::int64_t>(large)};
  };
  return Draws(test_support::Made<Values>(size, make),
               {.num_workers = num_workers,
                .generator = generator,
                .persistent_workers = persistent,
                .on_warning = [](std::string_view) {}});
}

TEST(GoldenLoaderStreams, seeds_the_workers_of_each_epoch_as_pytorch_does) {
  std::size_t compared = 0;
  for (const json& entry : test::golden("worker_seed_cases")) {
    const auto generator =
        seeded(entry.at("generator") == "explicit", entry.at("seed").get<std::uint64_t>());
    auto loader = make_draws(entry.at("epochs").at(0).at("samples").size(),
                             entry.at("num_workers").get<int>(),
                             generator,
                             entry.at("persistent").get<bool>());
    for (const json& epoch : entry.at("epochs")) {
      auto batch = loader.begin();
      for (const json& sample : epoch.at("samples")) {
        const auto got = (*batch).data<std::int64_t>();
        EXPECT_EQ(got[0], sample.at("worker").get<std::int64_t>());
        EXPECT_EQ(std::to_string(got[1]), sample.at("seed").get<std::string>());
        EXPECT_EQ(got[2], sample.at("torch_randint_1000").get<std::int64_t>());
        EXPECT_EQ(std::to_string(got[3]), sample.at("torch_random_int64").get<std::string>());
        ++batch;
        ++compared;
      }
      EXPECT_TRUE(batch == loader.end());
    }
  }
  EXPECT_EQ(compared, 48U);
}

TEST(GoldenLoaderStreams, gives_the_seed_and_the_first_draw_of_each_worker) {
  for (const auto& [name, is_explicit, seed, workers] :
       {std::tuple{"worker_id_seed_firstrandint1000_manual_seed0_nw3", false, 0U, 3},
        std::tuple{"worker_id_seed_gen_seed42_nw2", true, 42U, 2}}) {
    const json& rows = test::golden(name);
    const auto generator = seeded(is_explicit, seed);
    auto loader = make_draws(rows.size(), workers, generator, false);
    std::vector<Values> seen;
    for (auto& batch : loader) {
      const auto data = batch.data<std::int64_t>();
      seen.emplace_back(data.begin(), data.begin() + 3);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = rows.at(i).get<Values>();
      EXPECT_EQ(seen.at(i)[0], row[0]);
      EXPECT_EQ(seen.at(i)[1], row[1]);
      if (i < static_cast<std::size_t>(workers)) {  // later draws of a worker lie further on here
        EXPECT_EQ(seen.at(i)[2], row[2]);
      }
    }
  }
}

}  // namespace
}  // namespace forklift
