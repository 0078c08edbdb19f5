// SPDX-License-Identifier: MIT
// Semantics 1.1.
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/any_sampler.hpp>
#include <forklift/error.hpp>
#include <forklift/random_sampler.hpp>

namespace forklift {
namespace {

std::vector<std::size_t> all(detail::IndexCursor& cursor) {
  std::vector<std::size_t> indices;
  for (std::size_t index = 0; cursor.next(index);) {
    indices.push_back(index);
  }
  return indices;
}

/// A user's sampler with every optional member; iterate() is not const and the cursor's integers
/// are 32 bits.
class Countdown {
 public:
  class Cursor {
   public:
    explicit Cursor(int from) : left_(from) {}
    std::optional<std::int32_t> next() { return left_ > 0 ? std::optional(--left_) : std::nullopt; }

   private:
    std::int32_t left_;
  };

  Cursor iterate() { return Cursor(++passes_ + static_cast<int>(epoch_)); }
  [[nodiscard]] int size() const { return 7; }
  void set_epoch(std::size_t epoch) { epoch_ = epoch; }
  [[nodiscard]] static bool indices_are_unique() { return true; }

 private:
  int passes_ = 0;
  std::size_t epoch_ = 0;
};

struct ThrowsAtTwo {
  struct Cursor {
    std::size_t index = 0;
    std::optional<std::size_t> next() {
      if (index == 2) {
        ++index;
        throw std::runtime_error("no third index");
      }
      return index++;
    }
  };
  [[nodiscard]] static Cursor iterate() { return {}; }
};

static_assert(Sampler<Countdown> && Sampler<ThrowsAtTwo> && Sampler<std::vector<int>>);
static_assert(!Sampler<int> && !Sampler<std::vector<double>> && !Sampler<std::vector<bool>>);
static_assert(!std::is_constructible_v<AnySampler, std::vector<std::vector<int>>>);

TEST(AnySampler, is_empty_until_it_is_given_a_sampler) {
  EXPECT_FALSE(AnySampler());
  EXPECT_TRUE(AnySampler(SequentialSampler(3)));
}

TEST(AnySampler, iterates_a_range_anew_in_each_pass) {
  const AnySampler sampler = std::vector<std::size_t>{9, 7, 5};
  EXPECT_EQ(all(*sampler.iterate()), (std::vector<std::size_t>{9, 7, 5}));
  EXPECT_EQ(all(*sampler.iterate()), (std::vector<std::size_t>{9, 7, 5}));
  EXPECT_EQ(sampler.size(), 3U);
  EXPECT_FALSE(sampler.indices_are_unique());
}

TEST(AnySampler, takes_ranges_of_other_integers) {
  const AnySampler sampler = std::list<short>{3, 1};
  EXPECT_EQ(all(*sampler.iterate()), (std::vector<std::size_t>{3, 1}));
}

TEST(AnySampler, copies_share_one_sampler) {
  const AnySampler sampler = Countdown();
  const AnySampler copy =
      sampler;  // NOLINT(performance-unnecessary-copy-initialization): under test

  copy.set_epoch(2);

  EXPECT_EQ(all(*sampler.iterate()), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(all(*copy.iterate()), (std::vector<std::size_t>{3, 2, 1, 0}));
  EXPECT_EQ(sampler.size(), 7U);
}

TEST(AnySampler, holds_a_copy_of_what_it_was_made_from) {
  std::vector<int> indices{1, 2};
  const AnySampler sampler = indices;
  indices.assign(50, 0);
  EXPECT_EQ(all(*sampler.iterate()), (std::vector<std::size_t>{1, 2}));
}

TEST(AnySampler, a_cursor_outlives_its_sampler) {
  auto sampler = std::make_unique<AnySampler>(std::vector<int>{4, 5});
  const auto cursor = sampler->iterate();
  sampler.reset();
  EXPECT_EQ(all(*cursor), (std::vector<std::size_t>{4, 5}));
}

TEST(AnySampler, refuses_a_negative_index_when_it_is_reached) {
  const AnySampler sampler = std::vector<int>{3, -2, 4};
  const auto cursor = sampler.iterate();
  std::size_t index = 0;
  EXPECT_TRUE(cursor->next(index));
  EXPECT_THROW(cursor->next(index), InvalidOptions);
  EXPECT_FALSE(cursor->next(index));
}

TEST(AnySampler, is_at_its_end_after_the_sampler_threw) {
  const AnySampler sampler = ThrowsAtTwo{};
  const auto cursor = sampler.iterate();
  std::vector<std::size_t> indices;
  EXPECT_THROW(cursor->append(5, indices), std::runtime_error);
  EXPECT_EQ(indices, (std::vector<std::size_t>{0, 1}));
  std::size_t index = 0;
  EXPECT_FALSE(cursor->next(index));
  EXPECT_EQ(sampler.size(), std::nullopt);
}

TEST(AnySampler, append_stops_at_the_end) {
  const auto cursor = AnySampler(SequentialSampler(5)).iterate();
  std::vector<std::size_t> indices;
  cursor->append(3, indices);
  EXPECT_EQ(indices, (std::vector<std::size_t>{0, 1, 2}));
  cursor->append(3, indices);
  EXPECT_EQ(indices, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  cursor->append(3, indices);
  EXPECT_EQ(indices.size(), 5U);
}

TEST(AnySampler, believes_only_samplers_of_the_library_that_indices_are_unique) {
  EXPECT_TRUE(AnySampler(SequentialSampler(5)).indices_are_unique());
  EXPECT_TRUE(AnySampler(RandomSampler(5)).indices_are_unique());
  EXPECT_FALSE(AnySampler(RandomSampler(5, {.replacement = true})).indices_are_unique());
  EXPECT_FALSE(AnySampler(Countdown()).indices_are_unique());
}

TEST(AnySampler, hands_its_source_to_the_random_sampler) {
  const detail::RandomSource source{[]() -> std::uint64_t { return 42; }};
  const auto cursor = AnySampler(RandomSampler(10)).iterate(source);
  EXPECT_EQ(all(*cursor), (std::vector<std::size_t>{2, 6, 1, 8, 4, 5, 0, 9, 3, 7}));
}

}  // namespace
}  // namespace forklift
