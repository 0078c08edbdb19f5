// SPDX-License-Identifier: MIT
// Whole loaders against PyTorch: batches, base seeds and stream positions, over epochs and early
// breaks. Semantics 3.1, 3.6, 3.7, 4.5, 4.6, 8.5 and 10.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/made_dataset.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using Numbers = test_support::Made<std::int64_t>;
using Batches = std::vector<std::vector<std::int64_t>>;

// The generators of one case, seeded.
class Streams {
 public:
  explicit Streams(const json& entry) {
    const auto seed = entry.at("seed").get<std::uint64_t>();
    is_explicit_ = entry.at("generator") == "explicit";
    manual_seed(entry.contains("default_seed") ? entry.at("default_seed").get<std::uint64_t>()
                                               : seed);
    if (is_explicit_) {
      generator_.emplace(seed);
    }
  }

  [[nodiscard]] const std::optional<Generator>& generator() const { return generator_; }
  [[nodiscard]] std::uint64_t draw() {
    return is_explicit_ ? generator_->random63() : default_generator().random63();
  }

 private:
  bool is_explicit_ = false;
  std::optional<Generator> generator_;
};

DataLoaderOptions options_of(const json& entry, const Streams& streams, WorkerKind kind) {
  DataLoaderOptions options;
  options.batch_size = entry.at("batch_size").is_null()
                           ? std::nullopt
                           : std::optional<Count>(entry.at("batch_size").get<std::int64_t>());
  options.shuffle = !entry.contains("shuffle") || entry.at("shuffle").get<bool>();
  options.num_workers = entry.at("num_workers").get<int>();
  options.drop_last = entry.contains("drop_last") && entry.at("drop_last").get<bool>();
  options.generator = streams.generator();
  if (entry.contains("prefetch_factor") && !entry.at("prefetch_factor").is_null() &&
      entry.at("num_workers") != 0) {
    options.prefetch_factor = entry.at("prefetch_factor").get<int>();
  }
  options.persistent_workers = entry.at("persistent").get<bool>();
  options.worker_kind = kind;
  options.on_warning = [](std::string_view) {};
  return options;
}

Numbers numbers(const json& entry) {
  return {entry.at("n").get<std::size_t>(),
          [](std::size_t index) { return static_cast<std::int64_t>(index); }};
}

std::vector<std::int64_t> values_of(const Tensor& batch) {
  const auto data = batch.data<std::int64_t>();
  return {data.begin(), data.end()};
}

// Runs the first `epochs` epochs and returns the next draw, or the batches of the last one.
std::uint64_t draw_after(const json& entry, WorkerKind kind, std::size_t epochs, Batches& last) {
  Streams streams(entry);
  DataLoader loader(numbers(entry), options_of(entry, streams, kind));
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    last.clear();
    for (auto& batch : loader) {
      last.push_back(values_of(batch));
    }
  }
  return streams.draw();
}

constexpr WorkerKind kKinds[] = {WorkerKind::process, WorkerKind::thread};

void expect_recorded_epoch(const json& entry, std::size_t epoch, WorkerKind kind) {
  const bool is_explicit = entry.at("generator") == "explicit";
  const json& recorded = entry.at("epochs").at(epoch);
  Batches batches;
  const std::uint64_t next = draw_after(entry, kind, epoch + 1, batches);
  EXPECT_EQ(batches, recorded.at("batches").get<Batches>()) << entry.dump();
  EXPECT_EQ(next,
            recorded.at(is_explicit ? "next63_explicit" : "next63_default").get<std::uint64_t>())
      << entry.dump();
}

TEST(GoldenLoader, gives_pytorchs_batches_and_leaves_the_generator_where_pytorch_does) {
  std::size_t compared = 0;
  for (const auto& entry : test::golden("loader_epoch_cases")) {
    if (!entry.at("sampler").is_null()) {
      continue;
    }
    for (std::size_t epoch = 0; epoch < entry.at("epochs").size(); ++epoch) {
      for (const WorkerKind kind : kKinds) {
        expect_recorded_epoch(entry, epoch, kind);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 130U);
}

void expect_recorded_break(const json& entry, WorkerKind kind) {
  Streams streams(entry);
  DataLoader loader(numbers(entry), options_of(entry, streams, kind));
  std::vector<std::int64_t> taken;
  {
    auto batch = loader.begin();
    for (auto left = entry.at("batches_taken").get<std::size_t>(); left > 0; --left, ++batch) {
      const auto values = values_of(*batch);
      taken.insert(taken.end(), values.begin(), values.end());
    }
  }
  std::vector<std::int64_t> next_epoch;
  for (auto& batch : loader) {
    const auto values = values_of(batch);
    next_epoch.insert(next_epoch.end(), values.begin(), values.end());
  }

  EXPECT_EQ(taken, entry.at("taken").get<std::vector<std::int64_t>>()) << entry.dump();
  EXPECT_EQ(next_epoch, entry.at("next_epoch").get<std::vector<std::int64_t>>()) << entry.dump();
  EXPECT_EQ(streams.draw(), entry.at("next63_after_next_epoch").get<std::uint64_t>())
      << entry.dump();
}

TEST(GoldenLoader, an_early_break_leaves_the_next_epoch_as_in_pytorch) {
  std::size_t compared = 0;
  for (const auto& entry : test::golden("early_break_cases")) {
    for (const WorkerKind kind : kKinds) {
      expect_recorded_break(entry, kind);
    }
    ++compared;
  }
  EXPECT_GT(compared, 70U);
}

TEST(GoldenLoader, gives_pytorchs_order_over_sixty_thousand) {
  const json& recorded = test::golden("loader_60000_bs64_seed0");
  for (const char* which : {"default", "explicit"}) {
    if (!recorded.contains(which)) {
      continue;
    }
    manual_seed(0);
    DataLoaderOptions options{.batch_size = 64, .shuffle = true, .num_workers = 2};
    if (std::string_view(which) == "explicit") {
      options.generator = Generator(0);
    }
    DataLoader<Numbers> loader(
        Numbers(60'000, [](std::size_t index) { return static_cast<std::int64_t>(index); }),
        options);
    for (const json& epoch : recorded.at(which)) {
      std::vector<std::int64_t> order;
      for (auto& batch : loader) {
        const auto values = values_of(batch);
        order.insert(order.end(), values.begin(), values.end());
      }
      test::expect_list(epoch, order);
    }
  }
}

}  // namespace
}  // namespace forklift
