// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <cstddef>
#include <optional>

#include <gtest/gtest.h>

#include <forklift/error.hpp>
#include <forklift/sampler.hpp>

namespace forklift {
namespace {

static_assert(Sampler<SequentialSampler>);

TEST(SequentialSampler, counts_up_and_stays_at_its_end) {
  auto cursor = SequentialSampler(2).iterate();
  EXPECT_EQ(cursor.next(), 0U);
  EXPECT_EQ(cursor.next(), 1U);
  EXPECT_EQ(cursor.next(), std::nullopt);
  EXPECT_EQ(cursor.next(), std::nullopt);
}

TEST(SequentialSampler, of_nothing_gives_nothing) {
  EXPECT_EQ(SequentialSampler(0).iterate().next(), std::nullopt);
}

TEST(SequentialSampler, reads_the_size_when_a_pass_starts) {
  int size = 1;
  const SequentialSampler sampler([&size] { return size; });
  auto before = sampler.iterate();
  size = 2;
  auto after = sampler.iterate();

  EXPECT_EQ(sampler.size(), 2U);
  EXPECT_EQ(before.next(), 0U);
  EXPECT_EQ(before.next(), std::nullopt);
  EXPECT_EQ(after.next(), 0U);
  EXPECT_EQ(after.next(), 1U);
}

TEST(SequentialSampler, refuses_a_negative_size) {
  EXPECT_THROW(SequentialSampler(-1), InvalidOptions);
  const SequentialSampler sampler([] { return -5; });
  EXPECT_THROW((void)sampler.iterate(), InvalidOptions);
}

}  // namespace
}  // namespace forklift
