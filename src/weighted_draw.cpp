// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <forklift/count.hpp>
#include <forklift/detail/index_array.hpp>
#include <forklift/detail/mt19937.hpp>
#include <forklift/detail/weighted_draw.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {
namespace {

constexpr std::uint64_t kWordsOfDouble = 2;

std::size_t checked_samples(const Count& num_samples, std::size_t num_weights, bool replacement) {
  if (num_samples.is_negative() || num_samples.is_zero()) {
    throw InvalidOptions(
        fmt::format("num_samples should be a positive integer value, but got num_samples={}",
                    num_samples.text()));
  }
  if (num_weights == 0) {
    throw InvalidOptions(
        "weights should hold at least one weight that is greater than 0, but it is empty");
  }
  if (!replacement && num_samples.value() > num_weights) {
    throw InvalidOptions(
        fmt::format("cannot sample n_sample > prob_dist.size(-1) samples without replacement: got "
                    "num_samples={} for {} weights; allowed are at most as many as there are "
                    "weights, or replacement=true",
                    num_samples.value(),
                    num_weights));
  }
  return num_samples.value();
}

/// PyTorch's words for a bad weight, which differ with the rule.
const char* words_for(double weight, bool is_race) {
  if (is_race) {
    return "probability tensor contains either `inf`, `nan` or element < 0";
  }
  return weight < 0
             ? "invalid multinomial distribution (encountering probability entry < 0)"
             : "invalid multinomial distribution (encountering probability entry = infinity or "
               "NaN)";
}

void check_weights(const std::vector<double>& weights, bool is_race) {
  bool has_positive = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double weight = weights[i];
    if (!std::isfinite(weight) || weight < 0) {
      throw InvalidOptions(
          fmt::format("{}: weights[{}] is {}; weights must be finite and 0 or more",
                      words_for(weight, is_race),
                      i,
                      weight));
    }
    has_positive = has_positive || weight > 0;
  }
  if (!has_positive) {
    throw InvalidOptions(
        fmt::format("invalid multinomial distribution (sum of probabilities <= 0): each of the {} "
                    "weights is 0; at least one must be greater",
                    weights.size()));
  }
}

/// Sums up to each weight, as shares of all; the last one is 1. The order of the operations decides
/// the last bits.
void accumulate(std::vector<double>& weights) {
  double sum = 0;
  for (double& weight : weights) {
    sum += weight;
    weight = sum;
  }
  if (std::isinf(sum)) {
    throw InvalidOptions(
        fmt::format("the sum of the {} weights is infinite; it must be finite where indices are "
                    "drawn with replacement",
                    weights.size()));
  }
  for (double& share : weights) {
    share /= sum;
  }
}

/// The index of the lowest share that is not less than `draw`; there is one, as the last share
/// is 1. It is std::lower_bound without its branches, which are mispredicted every other time.
std::size_t first_that_reaches(const std::vector<double>& shares, double draw) noexcept {
  std::size_t first = 0;
  for (std::size_t left = shares.size(); left > 1;) {
    const std::size_t half = left / 2;
    first += shares[first + half - 1] < draw ? half : 0;
    left -= half;
  }
  return first;
}

struct Runner {
  double speed;
  std::uint64_t index;
};

bool is_ahead(const Runner& a, const Runner& b) noexcept {
  return a.speed > b.speed || (a.speed == b.speed && a.index < b.index);
}

/// Keeps the first `count` of `runners`, in any order.
void keep_first(std::vector<Runner>& runners, std::size_t count) {
  const auto end = runners.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(runners.begin(), end - 1, runners.end(), is_ahead);
  runners.erase(end, runners.end());
}

/// At most twice as many runners as can win are held at a time.
IndexArray race(const std::vector<double>& weights, std::size_t num_winners, Generator generator) {
  const std::size_t room = num_winners < weights.size() / 2 ? 2 * num_winners : weights.size();
  std::vector<Runner> runners;
  runners.reserve(room);
  double slowest = -1;  // who is not faster than that cannot win
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double time = generator.exponential();
    // A weight of 0 is last, also where the draw is 0.
    const double speed = weights[i] > 0 ? weights[i] / time : 0;
    if (speed <= slowest) {
      continue;
    }
    if (runners.size() == room) {
      keep_first(runners, num_winners);
      slowest = std::ranges::max_element(runners, is_ahead)->speed;
    }
    runners.push_back({.speed = speed, .index = i});
  }
  keep_first(runners, num_winners);
  std::ranges::sort(runners, is_ahead);

  IndexArray winners;
  winners.generate(
      num_winners, weights.size(), [at = runners.begin()]() mutable { return (at++)->index; });
  return winners;
}

/// A generator of its own that stands where `generator` does.
Generator copy_of(const Generator& generator) {
  Generator copy;
  set_engine(copy, engine_of(generator));
  return copy;
}

}  // namespace

WeightedPass::WeightedPass(std::shared_ptr<const std::vector<double>> cumulative,
                           const Generator& generator)
    : cumulative_(std::move(cumulative)),
      generator_(generator) {}

WeightedPass::WeightedPass(IndexArray winners) : winners_(std::move(winners)) {}

WeightedPass::WeightedPass(const WeightedPass& other)
    : cumulative_(other.cumulative_),
      generator_(copy_of(other.generator_)),
      next_(other.next_),
      winners_(other.winners_) {}

WeightedPass& WeightedPass::operator=(WeightedPass other) noexcept {
  cumulative_ = std::move(other.cumulative_);
  generator_ = other.generator_;
  next_ = other.next_;
  winners_ = std::move(other.winners_);
  return *this;
}

std::size_t WeightedPass::at(std::size_t position) {
  if (cumulative_ == nullptr) {
    return winners_[position];
  }
  generator_.discard(kWordsOfDouble * (position - next_));
  next_ = position + 1;
  return first_that_reaches(*cumulative_, generator_.uniform());
}

WeightedDraw::WeightedDraw(std::vector<double> weights, const Count& num_samples, bool replacement)
    : num_samples_(checked_samples(num_samples, weights.size(), replacement)),
      replacement_(replacement),
      is_race_(!replacement || num_samples_ == 1) {
  check_weights(weights, is_race_);
  if (!is_race_) {
    accumulate(weights);
  }
  weights_ = std::make_shared<const std::vector<double>>(std::move(weights));
}

WeightedPass WeightedDraw::pass(const Generator& generator) const {
  Generator copy = copy_of(generator);
  return is_race_ ? WeightedPass(race(*weights_, num_samples_, copy))
                  : WeightedPass(weights_, copy);
}

std::uint64_t WeightedDraw::words() const noexcept {
  return kWordsOfDouble * (is_race_ ? weights_->size() : num_samples_);
}

}  // namespace forklift::detail
