// SPDX-License-Identifier: MIT
// Semantics 3.4 and 4.4.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/detail/random_source.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_sampler.hpp>

namespace forklift {
namespace {

static_assert(Sampler<RandomSampler>);

std::string error_of(detail::SizeSource size, RandomSamplerOptions options) {
  try {
    const RandomSampler sampler(std::move(size), std::move(options));
  } catch (const InvalidOptions& error) {
    return error.what();
  }
  return {};
}

TEST(RandomSampler, refuses_num_samples_in_the_words_of_pytorch) {
  const std::string words = "num_samples should be a positive integer value, but got num_samples=";
  EXPECT_EQ(error_of(10, {.num_samples = 0}), words + "0");
  EXPECT_EQ(error_of(10, {.num_samples = -3}), words + "-3");
  EXPECT_EQ(error_of(0, {}), words + "0; the dataset is empty");
  EXPECT_EQ(error_of(10, {.num_samples = 1}), "");
}

TEST(RandomSampler, reports_an_empty_dataset_when_the_first_index_is_asked_for) {
  for (const bool replacement : {false, true}) {
    Generator generator(1);
    auto cursor =
        RandomSampler(0, {.replacement = replacement, .num_samples = 5, .generator = generator})
            .iterate();
    EXPECT_THROW((void)cursor.next(), InvalidOptions);
    EXPECT_EQ(cursor.next(), std::nullopt);
  }
}

TEST(RandomSampler, reads_the_size_anew_in_each_pass) {
  std::size_t size = 1;
  const RandomSampler sampler([&size] { return size; }, {.generator = Generator(2)});
  size = 3;
  auto cursor = sampler.iterate();
  std::vector<bool> seen(3);
  for (int i = 0; i < 3; ++i) {
    seen.at(cursor.next().value()) = true;
  }
  EXPECT_EQ(cursor.next(), std::nullopt);
  EXPECT_EQ(seen, std::vector<bool>(3, true));
  EXPECT_EQ(sampler.size(), 3U);
}

TEST(RandomSampler, draws_nothing_before_the_first_index) {
  manual_seed(6);
  const auto cursor = RandomSampler(10).iterate();
  EXPECT_EQ(default_generator().random63(), Generator(6).random63());
}

TEST(RandomSampler, stays_at_its_end_without_drawing_again) {
  Generator generator(6);
  auto cursor = RandomSampler(4, {.generator = generator}).iterate();
  while (cursor.next().has_value()) {
  }
  EXPECT_EQ(cursor.next(), std::nullopt);

  Generator expected(6);
  expected.skip_randperm(4);
  expected.skip_randperm(4);
  EXPECT_EQ(generator.random32(), expected.random32());
}

TEST(RandomSampler, takes_its_seed_from_the_source_it_is_given) {
  manual_seed(1);
  const detail::RandomSource source{[]() -> std::uint64_t { return 42; }};

  auto cursor = RandomSampler(10).iterate(source);
  auto expected = RandomSampler(10, {.generator = Generator(42)}).iterate();

  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(cursor.next(), expected.next());
  }
  EXPECT_EQ(default_generator().random63(), Generator(1).random63())
      << "the default generator was left alone";
}

TEST(RandomSampler, knows_whether_indices_repeat) {
  EXPECT_TRUE(RandomSampler(10).indices_are_unique());
  EXPECT_TRUE(RandomSampler(10, {.num_samples = 4}).indices_are_unique());
  EXPECT_TRUE(RandomSampler(10, {.num_samples = 10}).indices_are_unique());
  EXPECT_FALSE(RandomSampler(10, {.num_samples = 11}).indices_are_unique());
  EXPECT_FALSE(RandomSampler(10, {.replacement = true, .num_samples = 4}).indices_are_unique());
}

TEST(RandomSampler, gives_indices_over_32_bits) {
  const std::size_t size = std::size_t{1} << 40U;
  Generator expected(3);
  auto cursor =
      RandomSampler(size, {.replacement = true, .num_samples = 70, .generator = Generator(3)})
          .iterate();
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ(cursor.next(), static_cast<std::size_t>(expected.randint(0, std::int64_t{1} << 40)));
  }
  EXPECT_EQ(cursor.next(), std::nullopt);
}

}  // namespace
}  // namespace forklift
