// SPDX-License-Identifier: MIT
// Lengths of loaders over both kinds of datasets. Semantics 2.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

TEST(GoldenLength, is_pytorchs_for_every_kind_and_batch_size) {
  std::size_t compared = 0;
  for (const auto& entry : test::golden("length_cases")) {
    DataLoaderOptions options{.drop_last = entry.at("drop_last").get<bool>()};
    options.batch_size = entry.at("batch_size").is_null()
                             ? std::nullopt
                             : std::optional<Count>(entry.at("batch_size").get<std::int64_t>());
    const auto n = entry.at("n").get<std::size_t>();
    const auto length = entry.at("len").get<std::size_t>();
    if (entry.at("kind") == "map") {
      EXPECT_EQ(DataLoader(test_support::Numbers(n, test_support::identity), options).size(),
                length)
          << entry.dump();
    } else {
      EXPECT_EQ(DataLoader(test_support::Claiming({n}, n), options).size(), length) << entry.dump();
    }
    ++compared;
  }
  EXPECT_GT(compared, 20U);
}

TEST(GoldenLength, of_a_stream_without_size_is_not_known) {
  EXPECT_EQ(DataLoader(test_support::Sharded({3})).size(), std::nullopt);
}

}  // namespace
}  // namespace forklift
