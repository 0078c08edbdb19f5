// SPDX-License-Identifier: MIT
// Iterable datasets: which worker's batch comes when, and when the length is warned of. Semantics
// 2, 3.3, 3.5 and 3.6.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using test_support::Claiming;
using test_support::Sharded;
using Values = std::vector<std::int64_t>;
using Batches = std::vector<Values>;

std::optional<Count> batch_size_of(const json& entry) {
  return entry.at("batch_size").is_null()
             ? std::nullopt
             : std::optional<Count>(entry.at("batch_size").get<std::int64_t>());
}

Values values_of(const Tensor& batch) {
  const auto data = batch.data<std::int64_t>();
  return {data.begin(), data.end()};
}

template <class Loader>
Batches epoch_of(Loader& loader) {
  Batches batches;
  for (auto& batch : loader) {
    batches.push_back(values_of(batch));
  }
  return batches;
}

TEST(GoldenIterable, batches_come_in_pytorchs_order_whatever_the_workers_have) {
  std::size_t compared = 0;
  for (const auto& entry : test::golden("iterable_order_cases")) {
    DataLoaderOptions options{.batch_size = batch_size_of(entry),
                              .num_workers = entry.at("num_workers").get<int>(),
                              .drop_last = entry.at("drop_last").get<bool>(),
                              .on_warning = [](std::string_view) {}};
    if (!entry.at("prefetch_factor").is_null() && entry.at("num_workers") != 0) {
      options.prefetch_factor = entry.at("prefetch_factor").get<int>();
    }
    DataLoader loader(Sharded(entry.at("sizes").get<std::vector<std::size_t>>()), options);
    for (int epoch = 0; epoch < 2; ++epoch) {
      EXPECT_EQ(epoch_of(loader), entry.at("batches").get<Batches>()) << entry.dump();
    }
    ++compared;
  }
  EXPECT_GT(compared, 30U);
}

TEST(GoldenIterable, workers_of_a_persistent_loader_come_back_after_their_end) {
  DataLoader loader(Sharded({1, 3}),
                    {.batch_size = std::nullopt, .num_workers = 2, .persistent_workers = true});
  for (const auto& epoch : test::golden("iterable_persistent_sizes_1_3_three_epochs")) {
    Values values;
    for (const Values& batch : epoch_of(loader)) {
      values.insert(values.end(), batch.begin(), batch.end());
    }
    EXPECT_EQ(values, epoch.get<Values>());
  }
}

// PyTorch warns at each item beyond the length, Forklift once a loader, at the first.
void expect_warning_at(const json& entry, const char* expected, bool asks_for_length) {
  std::vector<std::string> warnings;
  DataLoader loader(Claiming(entry.at("sizes").get<std::vector<std::size_t>>(),
                             entry.at("claimed").get<std::size_t>()),
                    {.batch_size = batch_size_of(entry),
                     .num_workers = entry.at("num_workers").get<int>(),
                     .on_warning = [&](std::string_view text) { warnings.emplace_back(text); }});
  const std::size_t before = warnings.size();  // of many workers
  if (asks_for_length) {
    EXPECT_EQ(loader.size(), entry.at("len").get<std::size_t>()) << entry.dump();
  }
  std::optional<std::size_t> warned_at;
  std::size_t item = 0;
  for (auto& batch : loader) {
    static_cast<void>(batch);
    ++item;
    if (!warned_at.has_value() && warnings.size() > before) {
      warned_at = item;
      EXPECT_NE(warnings.back().find("was reported to be"), std::string::npos);
      EXPECT_EQ(warnings.back().find("For multiprocessing data-loading") != std::string::npos,
                entry.at("num_workers") != 0);
    }
  }
  const json& recorded = entry.at(expected);
  EXPECT_EQ(warned_at.has_value(), !recorded.empty()) << entry.dump();
  if (warned_at.has_value() && !recorded.empty()) {
    EXPECT_EQ(*warned_at, recorded.at(0).get<std::size_t>()) << entry.dump();
  }
}

TEST(GoldenIterable, a_length_that_is_passed_is_warned_of_if_it_was_asked_for) {
  for (const auto& entry : test::golden("iterable_length_warning")) {
    expect_warning_at(entry, "warned_at_items_len_called", true);
    expect_warning_at(entry, "warned_at_items_len_not_called", false);
  }
}

}  // namespace
}  // namespace forklift
