// SPDX-License-Identifier: MIT
// Semantics 3.4 and 4.4.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/one_pass.hpp"

#include <forklift/any_sampler.hpp>
#include <forklift/count.hpp>
#include <forklift/detail/random_source.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/weighted_random_sampler.hpp>

namespace forklift {
namespace {

using test_support::one_pass;
using test_support::rest_of_pass;
using Indices = std::vector<std::size_t>;
using Weights = std::vector<double>;

static_assert(Sampler<WeightedRandomSampler>);

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string error_of(const Weights& weights, Count num_samples, bool replacement = true) {
  return test_support::message_of<InvalidOptions>([&] {
    const WeightedRandomSampler sampler(weights, num_samples, {.replacement = replacement});
  });
}

TEST(WeightedRandomSampler, refuses_num_samples_in_the_words_of_pytorch) {
  const std::string words = "num_samples should be a positive integer value, but got num_samples=";
  EXPECT_EQ(error_of({1, 2}, 0), words + "0");
  EXPECT_EQ(error_of({1, 2}, -7), words + "-7");
}

TEST(WeightedRandomSampler, refuses_more_samples_than_weights_without_replacement) {
  const std::string error = error_of({1, 2}, 3, false);
  EXPECT_TRUE(
      error.starts_with("cannot sample n_sample > prob_dist.size(-1) samples without replacement"))
      << error;
  EXPECT_NE(error.find("num_samples=3 for 2 weights"), std::string::npos) << error;
}

TEST(WeightedRandomSampler, names_a_bad_weight_in_the_words_of_the_rule) {
  const std::string race = "probability tensor contains either `inf`, `nan` or element < 0";
  const std::string cumulative =
      "invalid multinomial distribution (encountering probability entry ";
  const std::string allowed = "; weights must be finite and 0 or more";
  EXPECT_EQ(error_of({1, -0.5}, 5), cumulative + "< 0): weights[1] is -0.5" + allowed);
  EXPECT_EQ(error_of({kInfinity, 1}, 5),
            cumulative + "= infinity or NaN): weights[0] is inf" + allowed);
  EXPECT_EQ(error_of({1, kNaN}, 5), cumulative + "= infinity or NaN): weights[1] is nan" + allowed);
  EXPECT_EQ(error_of({1, -0.5}, 1), race + ": weights[1] is -0.5" + allowed);
  EXPECT_EQ(error_of({1, kNaN}, 2, false), race + ": weights[1] is nan" + allowed);
  EXPECT_EQ(error_of({0, 0, kInfinity}, 2, false), race + ": weights[2] is inf" + allowed);
}

TEST(WeightedRandomSampler, refuses_weights_that_leave_nothing_to_draw) {
  for (const bool replacement : {false, true}) {
    const std::string error = error_of({0, -0.0, 0}, 2, replacement);
    EXPECT_NE(error.find("sum of probabilities <= 0"), std::string::npos) << error;
    EXPECT_NE(error.find("each of the 3 weights is 0"), std::string::npos) << error;
    EXPECT_NE(error_of({}, 2, replacement).find("weights should hold at least one"),
              std::string::npos);
  }
}

TEST(WeightedRandomSampler, refuses_a_sum_over_the_greatest_number_where_it_is_needed) {
  constexpr double kGreat = std::numeric_limits<double>::max();
  EXPECT_NE(error_of({kGreat, kGreat}, 2).find("the sum of the 2 weights is infinite"),
            std::string::npos);
  EXPECT_EQ(one_pass(WeightedRandomSampler({kGreat, kGreat}, 2, {.replacement = false})).size(),
            2U);
}

TEST(WeightedRandomSampler, draws_nothing_before_the_first_index_and_then_everything) {
  for (const bool replacement : {false, true}) {
    Generator generator(6);
    auto cursor = WeightedRandomSampler(
                      Weights(5, 1.0), 4, {.replacement = replacement, .generator = generator})
                      .iterate();
    Generator expected(6);
    EXPECT_EQ(generator.random32(), expected.random32());

    (void)cursor.next();
    expected.discard(replacement ? 2 * 4 : 2 * 5);
    EXPECT_EQ(generator.random32(), expected.random32());

    EXPECT_EQ(rest_of_pass(cursor).size(), 3U);
    EXPECT_EQ(cursor.next(), std::nullopt);
    EXPECT_EQ(generator.random32(), expected.random32()) << "nothing is drawn at the end";
  }
}

TEST(WeightedRandomSampler, a_pass_is_not_disturbed_by_other_draws) {
  Generator generator(9);
  const WeightedRandomSampler sampler({1, 2, 3, 4}, 20, {.generator = generator});
  auto cursor = sampler.iterate();
  Indices indices{cursor.next().value()};
  (void)generator.random32();
  const Indices rest = rest_of_pass(cursor);
  indices.insert(indices.end(), rest.begin(), rest.end());
  EXPECT_EQ(indices,
            one_pass(WeightedRandomSampler({1, 2, 3, 4}, 20, {.generator = Generator(9)})));
}

TEST(WeightedRandomSampler, draws_from_the_source_it_is_given) {
  static Generator other(42);
  manual_seed(1);
  const detail::RandomSource source{
      .lend = [](const std::function<void(Generator&)>& draw) { draw(other); }};

  const AnySampler sampler = WeightedRandomSampler({0.1, 0.9, 0.4, 0.7, 3.0, 0.6}, 10);
  Indices indices;
  sampler.iterate(source)->append(10, indices);

  EXPECT_EQ(indices, (Indices{1, 1, 1, 1, 4, 4, 5, 5, 1, 1}));
  EXPECT_EQ(default_generator().random63(), Generator(1).random63());
}

TEST(WeightedRandomSampler, gives_weights_of_0_last_and_the_lowest_first) {
  for (int seed = 0; seed < 20; ++seed) {
    const Indices indices = one_pass(WeightedRandomSampler(
        {0, 1, 0, 2, 0}, 5, {.replacement = false, .generator = Generator(seed)}));
    ASSERT_EQ(indices.size(), 5U);
    EXPECT_EQ(Indices(indices.begin() + 2, indices.end()), (Indices{0, 2, 4}));
  }
}

// The candidates that cannot win any more are dropped now and then; that must not show.
TEST(WeightedRandomSampler, fewer_samples_are_the_first_ones_of_all) {
  constexpr std::size_t kWeights = 1000;
  Weights weights(kWeights);
  for (std::size_t i = 0; i < kWeights; ++i) {
    weights[i] = static_cast<double>(i % 7);
  }
  const auto draw = [&](std::size_t num_samples) {
    return one_pass(WeightedRandomSampler(
        weights, num_samples, {.replacement = false, .generator = Generator(4)}));
  };
  const Indices all = draw(kWeights);
  for (const std::size_t num_samples : {1U, 2U, 3U, 17U, 250U, 499U, 500U, 501U, 900U, 999U}) {
    EXPECT_EQ(draw(num_samples),
              Indices(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(num_samples)));
  }
}

TEST(WeightedRandomSampler, draws_as_often_as_the_weights_say) {
  const Weights weights{1, 0, 2, 5};
  constexpr std::size_t kSamples = 80'000;
  Indices counts(weights.size());
  for (const std::size_t index :
       one_pass(WeightedRandomSampler(weights, kSamples, {.generator = Generator(2)}))) {
    ++counts.at(index);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(counts[i]), weights[i] * 10'000, 600) << i;
  }
}

// PyTorch refuses more than 2^24.
TEST(WeightedRandomSampler, takes_more_than_2_to_the_24_weights) {
  constexpr std::size_t kWeights = (std::size_t{1} << 24U) + 2;
  Weights weights(kWeights);
  weights.back() = 1;
  EXPECT_EQ(one_pass(WeightedRandomSampler(weights, 2, {.generator = Generator(1)})),
            (Indices{kWeights - 1, kWeights - 1}));
  EXPECT_EQ(one_pass(WeightedRandomSampler(std::move(weights), 1, {.generator = Generator(1)})),
            Indices{kWeights - 1});
}

TEST(WeightedRandomSampler, knows_size_and_whether_indices_repeat) {
  EXPECT_EQ(WeightedRandomSampler({1, 2}, 5).size(), 5U);
  EXPECT_FALSE(AnySampler(WeightedRandomSampler({1, 2}, 2)).indices_are_unique());
  EXPECT_TRUE(
      AnySampler(WeightedRandomSampler({1, 2}, 2, {.replacement = false})).indices_are_unique());
}

}  // namespace
}  // namespace forklift
