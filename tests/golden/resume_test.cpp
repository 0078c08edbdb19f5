// SPDX-License-Identifier: MIT
// Where a loader that stopped goes on, for orders that Forklift and torchdata share: those without
// a shuffle. Semantics 8.3 and 8.4; the others are in resume_shuffled_test.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/no_seam.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using Batches = std::vector<std::vector<std::int64_t>>;

// At most `most` batches of a new pass.
template <class Loader>
Batches take_batches(Loader& loader, std::size_t most = SIZE_MAX) {
  Batches batches;
  if (most > 0) {
    for (auto& batch : loader) {
      const auto data = batch.template data<std::int64_t>();
      batches.emplace_back(data.begin(), data.end());
      if (batches.size() == most) {
        break;
      }
    }
  }
  return batches;
}

template <class Dataset>
void expect_goes_on(const json& entry, const Dataset& dataset) {
  const DataLoaderOptions options{.batch_size = entry.at("batch_size").get<int>(),
                                  .num_workers = entry.at("num_workers").get<int>(),
                                  .on_warning = [](std::string_view) {}};
  const auto before = entry.at("before").get<Batches>();
  const bool saw_the_end = entry.at("taken") == "end";
  DataLoader<Dataset> saved(dataset, options);
  EXPECT_EQ(take_batches(saved, saw_the_end ? SIZE_MAX : before.size()), before);

  DataLoader<Dataset> loader(dataset, options);
  loader.load_state_dict(saved.state_dict());
  if (!saw_the_end) {
    EXPECT_EQ(take_batches(loader), entry.at("uninterrupted_rest").get<Batches>());
  }
  EXPECT_EQ(take_batches(loader), entry.at("uninterrupted_next_epoch").get<Batches>());
}

TEST(GoldenResume, goes_on_where_torchdata_does) {
  const test_support::SharedCount starts;
  std::size_t compared = 0;
  for (const json& entry : test::golden("stateful_resume_cases")) {
    if (!entry.at("shuffle").is_null()) {
      continue;
    }
    SCOPED_TRACE(entry.at("dataset").get<std::string>() + ", taken " + entry.at("taken").dump() +
                 ", workers " + entry.at("num_workers").dump());
    if (entry.at("dataset") == "map") {
      expect_goes_on(entry, test_support::numbers(entry.at("sizes").get<std::size_t>()));
    } else if (entry.at("dataset") == "iterable_stateful") {
      expect_goes_on(entry,
                     test_support::Kept(entry.at("sizes").get<std::vector<std::size_t>>(), starts));
    } else {
      expect_goes_on(entry,
                     test_support::Sharded(entry.at("sizes").get<std::vector<std::size_t>>()));
    }
    ++compared;
  }
  EXPECT_EQ(compared, 30U);
}

}  // namespace
}  // namespace forklift
