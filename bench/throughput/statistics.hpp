// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

/// The middle of some measurements and how far they spread.
struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};

/// Requires at least one value. The median of an even number is the mean of the two in the middle.
[[nodiscard]] inline Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

/// Round by round how many times faster `ours` was than `theirs`. Requires as many rounds of both,
/// at least one.
[[nodiscard]] inline Spread ratio_of(const std::vector<double>& ours,
                                     const std::vector<double>& theirs) {
  std::vector<double> ratios(ours.size());
  std::transform(ours.begin(), ours.end(), theirs.begin(), ratios.begin(), [](double a, double b) {
    return a / b;
  });
  return spread_of(std::move(ratios));
}

}  // namespace bench
