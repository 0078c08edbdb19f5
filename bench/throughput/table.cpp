// SPDX-License-Identifier: MIT
#include "throughput/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr std::size_t kBarWidth = 32;

/// 1234567 as "1,234,567".
std::string with_commas(double value) {
  const std::string digits = fmt::format("{:.0f}", value);
  std::string out;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0) {
      out.push_back(',');
    }
    out.push_back(digits[at]);
  }
  return out;
}

/// Three significant digits without an exponent.
std::string short_number(double value) {
  return fmt::format("{:.{}f}",
                     value,
                     value >= 99.95    ? 0
                     : value >= 9.995  ? 1
                     : value >= 0.0995 ? 2
                                       : 3);
}

std::string ratio_text(const Row* forklift, const Row& row) {
  if (forklift == nullptr || forklift == &row || forklift->rounds.size() != row.rounds.size()) {
    return "";
  }
  const Spread ratio = ratio_of(forklift->rounds, row.rounds);
  return fmt::format(
      "{}x ({}-{})", short_number(ratio.median), short_number(ratio.min), short_number(ratio.max));
}

/// Linear, the fastest of the table being the longest; something above nothing is at least a dot.
std::string bar(double value, double longest) {
  const auto length =
      static_cast<std::size_t>(std::lround(value / longest * static_cast<double>(kBarWidth)));
  return length == 0 ? "." : std::string(length, '#');
}

/// The row that the others of the same number of workers are compared with.
const Row* forklift_row(const WorkloadResult& result, std::size_t num_workers) {
  const auto found =
      std::find_if(result.rows.begin(), result.rows.end(), [num_workers](const Row& row) {
        return row.num_workers == num_workers && row.loader == "forklift";
      });
  return found == result.rows.end() ? nullptr : &*found;
}

}  // namespace

std::string table_text(const WorkloadResult& result) {
  double longest = 0;
  std::size_t batch_size = 0;
  std::size_t num_rounds = 0;
  for (const Row& row : result.rows) {
    longest = std::max(longest, row.samples_per_s());
    batch_size = row.batch_size;
    num_rounds = row.rounds.size();
  }
  std::string out = fmt::format("{}: {}, batch {}, medians of {} rounds\n",
                                result.workload,
                                result.description,
                                batch_size,
                                num_rounds);
  for (const std::string& line : result.left_out) {
    out += fmt::format("left out: {}\n", line);
  }
  out += fmt::format("{:>7}  {:<20} {:>13} {:>10} {:>8}  {:<24} {}\n",
                     "workers",
                     "loader",
                     "samples/s",
                     "us/batch",
                     "GB/s",
                     "forklift is (min-max)",
                     "samples/s");
  const Row* former = nullptr;
  for (const Row& row : result.rows) {
    const bool first = former == nullptr || former->num_workers != row.num_workers;
    out += fmt::format("{:>7}  {:<20} {:>13} {:>10} {:>8}  {:<24} {}\n",
                       first ? std::to_string(row.num_workers) : "",
                       row.loader,
                       with_commas(row.samples_per_s()),
                       short_number(row.us_per_batch()),
                       short_number(row.bytes_per_s() / 1e9),
                       ratio_text(forklift_row(result, row.num_workers), row),
                       bar(row.samples_per_s(), longest));
    former = &row;
  }
  return out;
}

}  // namespace bench
