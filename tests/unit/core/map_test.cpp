// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/dataset.hpp>
#include <forklift/map.hpp>
#include <forklift/sample_rng.hpp>

namespace forklift {
namespace {

struct Numbers {
  [[nodiscard]] static int size() { return 5; }
  [[nodiscard]] static std::size_t get(std::size_t index) { return index * 10; }
};
struct Counting {
  std::size_t size() { return 2; }
  int get(std::size_t) { return ++calls; }
  void open(const WorkerInfo& info) const { *opened_by = info.id; }
  int calls = 0;
  std::size_t* opened_by = nullptr;
};

constexpr std::uint64_t kBound = 1'000'000;
struct Random {
  [[nodiscard]] static std::size_t size() { return 2; }
  static std::uint64_t get(std::size_t, SampleRng& rng) { return rng.below(kBound); }
};

std::uint64_t draw(std::size_t skipped) {
  SampleRng rng(1, 0, 0, 0);
  for (; skipped > 0; --skipped) {
    static_cast<void>(rng.below(kBound));
  }
  return rng.below(kBound);
}

TEST(Map, transforms_each_sample) {
  const auto texts = map(Numbers{}, [](std::size_t number) { return std::to_string(number); });

  static_assert(std::is_same_v<SampleOf<std::remove_const_t<decltype(texts)>>, std::string>);
  EXPECT_EQ(texts.size(), 5U);
  EXPECT_EQ(texts.get(3), "30");
}

struct InBulk {
  [[nodiscard]] static std::size_t size() { return 5; }
  [[nodiscard]] static std::vector<std::string> get_batch(std::span<const std::size_t> indices) {
    return std::vector<std::string>(indices.size(), "text");
  }
};

TEST(Map, reads_a_dataset_that_has_get_batch_alone) {
  const auto lengths = map(InBulk{}, [](const std::string& text) { return text.size(); });
  EXPECT_EQ(lengths.get(3), 4U);
}

TEST(Map, takes_whatever_can_be_invoked) {
  const auto pairs = map(Numbers{}, [](std::size_t number) { return std::pair(number, 1); });
  const auto firsts = map(pairs, &std::pair<std::size_t, int>::first);
  EXPECT_EQ(firsts.get(2), 20U);
}

TEST(Map, composes) {
  auto twice = map(map(Numbers{}, [](std::size_t x) { return x + 1; }),
                   [](std::size_t x) { return 2.0 * static_cast<double>(x); });
  EXPECT_EQ(twice.get(4), 82.0);
}

TEST(Map, takes_a_dataset_and_a_transform_that_change) {
  auto mapped = map(Counting{}, [sum = 0](int call) mutable { return sum += call; });

  EXPECT_EQ(mapped.size(), 2U);
  EXPECT_EQ(mapped.get(0), 1);
  EXPECT_EQ(mapped.get(0), 3);
}

TEST(Map, composes_over_a_transform_that_changes) {
  auto mapped = map(map(Numbers{}, [calls = 0](std::size_t) mutable { return ++calls; }),
                    [](int call) { return call * 100; });

  EXPECT_EQ(mapped.get(0), 100);
  EXPECT_EQ(mapped.get(0), 200);
}

TEST(Map, hands_open_on_to_the_dataset) {
  std::size_t opened_by = 99;
  auto mapped = map(Counting{.opened_by = &opened_by}, [](int call) { return call; });
  static_assert(detail::HasOpen<decltype(mapped)>);
  static_assert(!detail::HasOpen<decltype(map(Numbers{}, [](std::size_t x) { return x; }))>);

  mapped.open({.id = 3, .num_workers = 4, .seed = 0});

  EXPECT_EQ(opened_by, 3U);
}

TEST(Map, gives_random_numbers_to_a_transform_that_asks_for_them) {
  auto mapped =
      map(Numbers{}, [](std::size_t number, SampleRng& rng) { return number + rng.below(kBound); });
  static_assert(detail::HasRandomGet<decltype(mapped)> && !detail::HasPlainGet<decltype(mapped)>);
  SampleRng rng(1, 0, 0, 0);

  EXPECT_EQ(mapped.get(1, rng), 10 + draw(0));
}

TEST(Map, lets_the_transform_draw_after_the_dataset) {
  auto mapped = map(Random{}, [](std::uint64_t first, SampleRng& rng) {
    return std::pair(first, rng.below(kBound));
  });
  SampleRng rng(1, 0, 0, 0);

  EXPECT_EQ(mapped.get(0, rng), std::pair(draw(0), draw(1)));
}

TEST(Map, gives_random_numbers_to_a_dataset_under_a_plain_transform) {
  auto mapped = map(Random{}, [](std::uint64_t number) { return number + 1; });
  SampleRng rng(1, 0, 0, 0);

  EXPECT_EQ(mapped.get(0, rng), draw(0) + 1);
}

}  // namespace
}  // namespace forklift
