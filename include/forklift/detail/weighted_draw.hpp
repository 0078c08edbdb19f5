// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/index_array.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {

/// The samples of one pass over weights. Thread: one at a time.
class WeightedPass {
 public:
  /// A pass of the cumulative rule, one sample computed at a time.
  WeightedPass(std::shared_ptr<const std::vector<double>> cumulative, const Generator& generator);
  /// A pass of the race rule, with the winners in order.
  explicit WeightedPass(IndexArray winners);

  /// Copies go on from the same place, each by itself.
  WeightedPass(const WeightedPass& other);
  WeightedPass(WeightedPass&& other) noexcept = default;
  WeightedPass& operator=(WeightedPass other) noexcept;
  ~WeightedPass() = default;

  /// Sample `position` of the pass, which must be greater than in the call before.
  [[nodiscard]] std::size_t at(std::size_t position);

 private:
  std::shared_ptr<const std::vector<double>> cumulative_;  // null for the race rule
  Generator generator_;
  std::size_t next_ = 0;
  IndexArray winners_;
};

/// Weights, checked and made ready for drawing. Copies share them.
///
/// With replacement and two samples or more by the cumulative rule: the lowest index whose share of
/// the sum of weights up to it reaches a uniform draw. Otherwise by the race rule: the indices with
/// the greatest weight / exponential draw, and the lower index first where those are equal. Memory:
/// the vector that was given, in which the weights become sums for the cumulative rule; 4 bytes for
/// each sample during a pass of the race rule, 8 from 2^32 weights on, and 32 while it is drawn, or
/// 16 for each weight where that is less. Source: PyTorch 2.15 at::multinomial on the CPU.
class WeightedDraw {
 public:
  /// Errors: InvalidOptions if there are no weights, if one is negative, infinite or NaN, if all
  /// are 0, if their sum is infinite and is needed, if num_samples is 0 or less, or greater than
  /// the number of weights without replacement.
  WeightedDraw(std::vector<double> weights, const Count& num_samples, bool replacement);

  /// A pass with the draws that `generator` would make next. `generator` itself is left alone.
  [[nodiscard]] WeightedPass pass(const Generator& generator) const;
  /// Words of the generator that a pass takes.
  [[nodiscard]] std::uint64_t words() const noexcept;
  [[nodiscard]] std::size_t num_samples() const noexcept { return num_samples_; }
  [[nodiscard]] bool replacement() const noexcept { return replacement_; }

 private:
  std::size_t num_samples_;
  bool replacement_;
  bool is_race_;
  std::shared_ptr<const std::vector<double>> weights_;  // for the cumulative rule: their sums
};

}  // namespace forklift::detail
