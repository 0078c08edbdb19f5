// SPDX-License-Identifier: MIT
#include "throughput/check.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bench {

std::string difference(const Observed& expected, const Observed& seen, double tolerance) {
  if (seen.labels.size() != expected.labels.size() || seen.sums.size() != expected.sums.size()) {
    return fmt::format("{} samples in {} batches instead of {} in {}",
                       seen.labels.size(),
                       seen.sums.size(),
                       expected.labels.size(),
                       expected.sums.size());
  }
  for (std::size_t at = 0; at < seen.labels.size(); ++at) {
    if (seen.labels[at] != expected.labels[at]) {
      return fmt::format(
          "sample {} has label {} instead of {}", at, seen.labels[at], expected.labels[at]);
    }
  }
  for (std::size_t at = 0; at < seen.sums.size(); ++at) {
    if (!(std::abs(seen.sums[at] - expected.sums[at]) <= tolerance)) {  // so that a NaN differs
      return fmt::format("the values of batch {} add up to {} instead of {}",
                         at,
                         seen.sums[at],
                         expected.sums[at]);
    }
  }
  return "";
}

}  // namespace bench
