// SPDX-License-Identifier: MIT
// Semantics 1.1.
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/batch_sampler.hpp>
#include <forklift/error.hpp>
#include <forklift/random_sampler.hpp>
#include <forklift/sampler.hpp>

namespace forklift {
namespace {

using Lists = std::vector<std::vector<std::size_t>>;

Lists all(const AnyBatchSampler& sampler) {
  Lists lists;
  std::vector<std::size_t> indices;
  for (const auto cursor = sampler.iterate(); cursor->next(indices);) {
    lists.push_back(indices);
  }
  return lists;
}

/// A user's batch sampler: pairs of 16-bit indices.
class Pairs {
 public:
  class Cursor {
   public:
    explicit Cursor(std::int16_t first) : first_(first) {}
    std::optional<std::list<std::int16_t>> next() {
      if (given_++ == 2) {
        return std::nullopt;
      }
      return std::list<std::int16_t>{first_, given_};
    }

   private:
    std::int16_t first_;
    std::int16_t given_ = 0;
  };

  [[nodiscard]] Cursor iterate() const { return Cursor(static_cast<std::int16_t>(epoch_)); }
  [[nodiscard]] static std::optional<std::size_t> size() { return 2; }
  void set_epoch(std::size_t epoch) { epoch_ = epoch; }

 private:
  std::size_t epoch_ = 0;
};

static_assert(!std::is_constructible_v<AnyBatchSampler, std::vector<int>>);

TEST(AnyBatchSampler, is_empty_until_it_is_given_one) {
  EXPECT_FALSE(AnyBatchSampler());
  EXPECT_TRUE(AnyBatchSampler(Lists{}));
}

TEST(AnyBatchSampler, iterates_a_range_of_lists_anew_in_each_pass) {
  const Lists lists{{1}, {2, 3, 4}, {5, 6}};
  const AnyBatchSampler sampler = lists;
  EXPECT_EQ(all(sampler), lists);
  EXPECT_EQ(all(sampler), lists);
  EXPECT_EQ(sampler.size(), 3U);
}

TEST(AnyBatchSampler, takes_a_users_type_with_other_integers) {
  const AnyBatchSampler sampler = Pairs();
  sampler.set_epoch(8);
  EXPECT_EQ(all(sampler), (Lists{{8, 1}, {8, 2}}));
  EXPECT_EQ(sampler.size(), 2U);
  EXPECT_FALSE(sampler.indices_are_unique());
}

TEST(AnyBatchSampler, takes_the_librarys_batch_sampler) {
  const AnyBatchSampler sampler = BatchSampler(SequentialSampler(5), 2, false);
  EXPECT_EQ(all(sampler), (Lists{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(sampler.size(), 3U);
  EXPECT_TRUE(sampler.indices_are_unique());
}

TEST(AnyBatchSampler, hands_its_source_down_to_the_random_sampler) {
  const detail::RandomSource source{[]() -> std::uint64_t { return 42; }};
  const auto cursor = AnyBatchSampler(BatchSampler(RandomSampler(10), 4, false)).iterate(source);
  std::vector<std::size_t> indices;
  EXPECT_TRUE(cursor->next(indices));
  EXPECT_EQ(indices, (std::vector<std::size_t>{2, 6, 1, 8}));
}

TEST(AnyBatchSampler, hands_an_empty_list_on_and_the_ones_behind_it) {
  const AnyBatchSampler sampler = Lists{{1}, {}, {2}};
  const auto cursor = sampler.iterate();
  std::vector<std::size_t> indices;
  EXPECT_TRUE(cursor->next(indices));
  EXPECT_TRUE(cursor->next(indices));
  EXPECT_EQ(indices, std::vector<std::size_t>());
  EXPECT_TRUE(cursor->next(indices));
  EXPECT_EQ(indices, std::vector<std::size_t>{2});
  EXPECT_FALSE(cursor->next(indices));
}

TEST(AnyBatchSampler, refuses_a_negative_index) {
  const AnyBatchSampler sampler = std::vector<std::vector<int>>{{1, -1}};
  const auto cursor = sampler.iterate();
  std::vector<std::size_t> indices;
  EXPECT_THROW(cursor->next(indices), InvalidOptions);
}

TEST(AnyBatchSampler, keeps_the_memory_of_the_list_it_fills) {
  const AnyBatchSampler sampler = BatchSampler(SequentialSampler(100), 10, false);
  const auto cursor = sampler.iterate();
  std::vector<std::size_t> indices;
  indices.reserve(10);
  const std::size_t* memory = indices.data();
  while (cursor->next(indices)) {
    EXPECT_EQ(indices.data(), memory);
  }
}

}  // namespace
}  // namespace forklift
