// SPDX-License-Identifier: MIT
// The rules of the comparison with a live PyTorch: that the grid is what it is said to be, and that
// each kind of difference is found.
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "oracle/combination.hpp"
#include "oracle/compare.hpp"
#include "oracle/grid.hpp"

#include <nlohmann/json.hpp>

namespace oracle {
namespace {

using nlohmann::json;

json error(const char* type, const char* message) {
  return {{"error", {{"type", type}, {"message", message}}}};
}

json tensor(const json& data) {
  return {{"dtype", "int64"}, {"shape", {data.size()}}, {"data", data}};
}

json outcome() {
  return {{"made", nullptr},
          {"length", 2},
          {"warnings", {{"workers", 1}}},
          {"epochs",
           {{{"begin", nullptr},
             {"items", {tensor({0, 1}), tensor({2, 3})}},
             {"ended", true},
             {"states", {"ab"}}}}}};
}

bool agree(const json& torch, const json& forklift, const Combination& combination = {}) {
  Used used;
  return compare(combination, torch, forklift, used).agrees();
}

// Whether a change at `path` of Forklift's outcome is found.
bool finds(const char* path, const json& value) {
  json changed = outcome();
  changed[json::json_pointer(path)] = value;
  return !agree(outcome(), changed);
}

TEST(OracleGrid, has_more_than_two_thousand_combinations_and_none_twice) {
  std::set<std::string> lines;
  for (const Combination& combination : grid()) {
    lines.insert(to_line(combination));
  }

  EXPECT_GE(lines.size(), 2000U);
  EXPECT_EQ(lines.size(), grid().size());
}

TEST(OracleGrid, has_every_value_of_the_options) {
  std::set<std::int64_t> sizes;
  std::set<std::int64_t> workers;
  std::set<std::int64_t> prefetch;
  std::set<std::int64_t> flags;
  for (const Combination& c : grid()) {
    sizes.insert(c.size);
    workers.insert(c.workers);
    prefetch.insert(c.prefetch.value_or(0));
    flags.insert(c.shuffle + 2 * c.drop_last + 4 * c.persistent + 8 * c.in_order +
                 16 * c.generator);
  }

  EXPECT_EQ(sizes.size(), 41U);
  EXPECT_EQ(workers, (std::set<std::int64_t>{-1, 0, 1, 2, 3}));
  EXPECT_EQ(prefetch, (std::set<std::int64_t>{-1, 0, 1, 2, 3, 4}));
  EXPECT_GT(flags.size(), 28U);  // of 32
}

TEST(OracleGrid, prints_lines_that_give_the_combination_back) {
  for (const Combination& combination : grid()) {
    EXPECT_EQ(to_json(from_line(to_line(combination))), to_json(combination));
  }
}

TEST(OracleLines, refuse_words_that_are_no_fields) {
  EXPECT_THROW((void)from_line("size"), std::invalid_argument);
  EXPECT_THROW((void)from_line("colour=red"), std::invalid_argument);
  EXPECT_THROW((void)from_line("size=ten"), std::invalid_argument);
}

TEST(OracleComparison, finds_each_kind_of_difference) {
  EXPECT_TRUE(agree(outcome(), outcome()));
  EXPECT_TRUE(finds("/epochs/0/items/1/data/0", 7));
  EXPECT_TRUE(finds("/epochs/0/items/1/dtype", "int32"));
  EXPECT_TRUE(finds("/epochs/0/items", json::array({tensor({2, 3}), tensor({0, 1})})));
  EXPECT_TRUE(finds("/epochs/0/ended", false));
  EXPECT_TRUE(finds("/epochs/0/states/0", "ac"));
  EXPECT_TRUE(finds("/length", 3));
  EXPECT_TRUE(finds("/warnings", json::object()));
  EXPECT_TRUE(finds("/epochs/0/items/0", error("InvalidOptions", "no")));
}

TEST(OracleComparison, takes_batches_of_several_workers_out_of_order_as_a_set) {
  const Combination unordered = from_line("workers=2 in_order=0");
  json swapped = outcome();
  std::swap(swapped["epochs"][0]["items"][0], swapped["epochs"][0]["items"][1]);
  json changed = swapped;
  changed["epochs"][0]["items"][0]["data"][0] = 7;

  EXPECT_TRUE(agree(outcome(), swapped, unordered));
  EXPECT_FALSE(agree(outcome(), changed, unordered));
  EXPECT_FALSE(agree(outcome(), swapped, from_line("workers=1 in_order=0")));
}

TEST(OracleComparison, does_not_let_two_errors_agree_that_mean_something_else) {
  const json made = {{"made", error("ValueError", "timeout option should be non-negative")},
                     {"warnings", json::object()}};
  json same = made;
  same["made"] = error("InvalidOptions", "timeout option should be non-negative, but got -1");
  json other = made;
  other["made"] = error("InvalidOptions", "num_workers option should be non-negative");
  json unknown = made;
  unknown["made"] = error("ValueError", "something new");

  EXPECT_TRUE(agree(made, same));
  EXPECT_FALSE(agree(made, other));
  EXPECT_FALSE(agree(made, unknown));
  EXPECT_FALSE(agree(unknown, unknown));
}

TEST(OracleComparison, compares_the_numbers_in_an_error_too) {
  json torch = outcome();
  torch["epochs"][0]["items"][0] = error("ValueError", "bad sample 3");
  json same = outcome();
  same["epochs"][0]["items"][0] = error("WorkerError(std::domain_error)", "bad sample 3");
  json other = outcome();
  other["epochs"][0]["items"][0] = error("WorkerError(std::domain_error)", "bad sample 2");

  EXPECT_TRUE(agree(torch, same));
  EXPECT_FALSE(agree(torch, other));
}

TEST(OracleComparison, reads_what_came_out_of_a_worker_of_pytorch) {
  json torch = outcome();
  torch["epochs"][0]["items"][0] =
      error("ValueError",
            "Caught ValueError in DataLoader worker process 0.\nOriginal Traceback (most recent "
            "call last):\n  File \"x.py\", line 1\nValueError: bad sample 3\n");
  json forklift = outcome();
  forklift["epochs"][0]["items"][0] = error("WorkerError(std::domain_error)", "bad sample 3");

  EXPECT_TRUE(agree(torch, forklift));
}

}  // namespace
}  // namespace oracle
