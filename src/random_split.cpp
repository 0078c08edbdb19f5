// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sys/stderr_line.hpp"

#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_split.hpp>

namespace forklift::detail {
namespace {

// Neumaier's sum: the plain one makes 1.0000000000000002 of some fractions that a user means as 1.
double sum_of(std::span<const double> values) {
  double sum = 0;
  double lost = 0;
  for (const double value : values) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  return std::isfinite(lost) ? sum + lost : sum;
}

bool are_fractions(double sum) {
  constexpr double kTolerance = 1e-9;
  return sum <= 1 && 1 - sum <= kTolerance;
}

std::vector<std::size_t> lengths_of_fractions(std::size_t size, std::span<const double> fractions) {
  std::vector<std::size_t> lengths;
  lengths.reserve(fractions.size());
  std::size_t left = size;
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    if (fractions[i] < 0 || fractions[i] > 1) {
      throw InvalidOptions(
          fmt::format("Fraction at index {} is not between 0 and 1, but {}", i, fractions[i]));
    }
    // Rounding may make the product of a huge size more than is left.
    const auto product =
        static_cast<std::size_t>(std::floor(static_cast<double>(size) * fractions[i]));
    lengths.push_back(std::min(product, left));
    left -= lengths.back();
  }
  for (std::size_t i = 0; left > 0; --left, ++i) {
    ++lengths[i % lengths.size()];
  }
  return lengths;
}

void warn_of_empty(std::span<const std::size_t> lengths, const SplitWarning& on_warning) {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] != 0) {
      continue;
    }
    const std::string text =
        fmt::format("Length of split at index {} is 0. This might result in an empty dataset.", i);
    if (on_warning) {
      on_warning(text);
    } else {
      sys::write_stderr_line(text);
    }
  }
}

std::vector<std::size_t> checked_lengths(std::size_t size,
                                         std::span<const double> values,
                                         double sum) {
  if (sum != static_cast<double>(size)) {
    throw InvalidOptions(
        fmt::format("Sum of input lengths does not equal the length of the input dataset! The "
                    "lengths sum up to {}, the dataset has {} samples",
                    sum,
                    size));
  }
  std::vector<std::size_t> lengths;
  lengths.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0 || values[i] != std::floor(values[i])) {
      throw InvalidOptions(fmt::format(
          "Length of split at index {} should be a number of samples, but is {}", i, values[i]));
    }
    lengths.push_back(static_cast<std::size_t>(values[i]));
  }
  return lengths;
}

}  // namespace

std::vector<std::vector<std::size_t>> split_indices(std::size_t size,
                                                    const SplitLengths& lengths,
                                                    Generator& generator,
                                                    const SplitWarning& on_warning) {
  const std::vector<double>& values = lengths.values();
  const double sum = sum_of(values);
  std::vector<std::size_t> counts;
  if (are_fractions(sum)) {
    counts = lengths_of_fractions(size, values);
    warn_of_empty(counts, on_warning);
  } else {
    counts = checked_lengths(size, values, sum);
  }
  const std::vector<std::uint64_t> order = generator.randperm(size);
  std::vector<std::vector<std::size_t>> parts;
  parts.reserve(counts.size());
  auto begin = order.begin();
  for (const std::size_t count : counts) {
    const auto end = std::next(begin, static_cast<std::ptrdiff_t>(count));
    parts.emplace_back(begin, end);
    begin = end;
  }
  return parts;
}

}  // namespace forklift::detail
