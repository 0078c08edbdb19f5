// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include "throughput/check.hpp"
#include "throughput/machine.hpp"
#include "throughput/report_json.hpp"
#include "throughput/statistics.hpp"
#include "throughput/table.hpp"

namespace {

bench::WorkloadResult two_loaders() {
  bench::WorkloadResult result;
  result.workload = "images";
  result.description = "pictures";
  result.rows.push_back({"images", "forklift", 2, 64, 1000.0, {3e6, 1e6, 2e6}});
  result.rows.push_back({"images", "raw", 2, 64, 1000.0, {1e6, 1e6, 1e6}});
  result.left_out.emplace_back("pytorch: no Python");
  return result;
}

TEST(Spread, has_the_middle_value_of_an_odd_number) {
  const bench::Spread spread = bench::spread_of({3, 1, 2});

  EXPECT_EQ(spread.median, 2);
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 3);
}

TEST(Spread, has_the_mean_of_the_two_middle_values_of_an_even_number) {
  EXPECT_EQ(bench::spread_of({1, 10, 2, 4}).median, 3);
}

TEST(Spread, compares_round_with_round) {
  const bench::Spread ratio = bench::ratio_of({10, 20, 90}, {10, 10, 30});

  EXPECT_EQ(ratio.median, 2);
  EXPECT_EQ(ratio.min, 1);
  EXPECT_EQ(ratio.max, 3);
}

TEST(Row, derives_its_numbers_from_the_median_round) {
  const bench::WorkloadResult result = two_loaders();

  EXPECT_EQ(result.rows[0].samples_per_s(), 2e6);
  EXPECT_EQ(result.rows[0].us_per_batch(), 32);
  EXPECT_EQ(result.rows[0].bytes_per_s(), 2e9);
}

TEST(Table, has_a_line_for_each_loader_with_its_ratio_and_bar) {
  const std::string table = bench::table_text(two_loaders());

  EXPECT_NE(table.find("images: pictures, batch 64, medians of 3 rounds\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("left out: pytorch: no Python\n"), std::string::npos) << table;
  EXPECT_NE(table.find("2,000,000"), std::string::npos) << table;
  EXPECT_NE(table.find("2.00x (1.00-3.00)"), std::string::npos) << table;
  EXPECT_NE(table.find(" " + std::string(32, '#') + "\n"), std::string::npos) << table;
  EXPECT_NE(table.find(" " + std::string(16, '#') + "\n"), std::string::npos) << table;
}

TEST(ReportJson, has_the_members_that_were_agreed_on) {
  const auto report = bench::report_json(bench::machine_json(), {two_loaders()});

  ASSERT_EQ(report.at("rows").size(), 2U);
  const auto& row = report.at("rows").at(0);
  EXPECT_EQ(row.at("workload"), "images");
  EXPECT_EQ(row.at("loader"), "forklift");
  EXPECT_EQ(row.at("num_workers"), 2);
  EXPECT_EQ(row.at("batch_size"), 64);
  EXPECT_EQ(row.at("samples_per_s"), 2e6);
  EXPECT_EQ(row.at("us_per_batch"), 32.0);
  EXPECT_EQ(row.at("bytes_per_s"), 2e9);
  EXPECT_EQ(row.at("rounds").size(), 3U);
  EXPECT_GT(report.at("machine").at("cores"), 0);
}

TEST(Difference, is_empty_for_sums_within_the_tolerance) {
  EXPECT_EQ(bench::difference({{1, 2}, {10.0}}, {{1, 2}, {10.5}}, 0.5), "");
}

TEST(Difference, names_the_first_wrong_label) {
  EXPECT_EQ(bench::difference({{1, 2}, {3}}, {{1, 3}, {3}}, 0),
            "sample 1 has label 3 instead of 2");
}

TEST(Difference, names_the_first_wrong_sum) {
  const bench::Observed expected{{1, 2}, {1.0, 2.0}};

  EXPECT_EQ(bench::difference(expected, {{1, 2}, {1.0, 2.5}}, 0.25),
            "the values of batch 1 add up to 2.5 instead of 2");
}

TEST(Difference, sees_a_sum_that_is_no_number) {
  EXPECT_NE(
      bench::difference({{1}, {1.0}}, {{1}, {std::numeric_limits<double>::quiet_NaN()}}, 1e300),
      "");
}

TEST(Difference, sees_missing_samples_and_batches) {
  EXPECT_NE(bench::difference({{1, 2}, {3}}, {{1}, {3}}, 0), "");
  EXPECT_NE(bench::difference({{1, 2}, {1, 2}}, {{1, 2}, {3}}, 0), "");
}

}  // namespace
