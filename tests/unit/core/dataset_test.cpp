// SPDX-License-Identifier: MIT
// What a map-style dataset is and the type of its samples, checked by the compiler; sizes that make
// no sense. Semantics 1.1 and 5.4.
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.hpp"

#include <forklift/data_loader.hpp>
#include <forklift/dataset.hpp>
#include <forklift/error.hpp>

namespace forklift {
namespace {

using test_support::message_of;

struct Plain {
  [[nodiscard]] int size() const { return 1; }
  [[nodiscard]] std::string get(std::size_t) const { return "plain"; }
};
struct NotConst {
  std::size_t size() { return 1; }
  const float& get(std::size_t) { return value; }
  float value = 0;
};
struct Random {
  [[nodiscard]] std::size_t size() const { return 1; }
  double get(std::size_t, SampleRng&) { return 0; }
};
struct Bulk {
  [[nodiscard]] std::size_t size() const { return 1; }
  static std::list<short> get_batch(std::span<const std::size_t>) { return {}; }
};
struct Both {
  [[nodiscard]] std::size_t size() const { return 1; }
  [[nodiscard]] int get(std::size_t) const { return 0; }
  [[nodiscard]] std::vector<int> get_batch(std::span<const std::size_t>) const { return {}; }
};
struct MoveOnly {
  [[nodiscard]] std::size_t size() const { return 1; }
  [[nodiscard]] int get(std::size_t) const { return *number; }
  std::unique_ptr<int> number;
};
struct WithoutSize {
  [[nodiscard]] int get(std::size_t) const { return 0; }
};
struct WithoutGet {
  [[nodiscard]] std::size_t size() const { return 1; }
};
struct BulkOfNoRange {
  [[nodiscard]] std::size_t size() const { return 1; }
  static int get_batch(std::span<const std::size_t>) { return 0; }
};

static_assert(MapDataset<Plain> && MapDataset<NotConst> && MapDataset<Random> && MapDataset<Bulk>);
static_assert(MapDataset<Both> && MapDataset<MoveOnly>);
static_assert(!MapDataset<WithoutSize> && !MapDataset<WithoutGet> && !MapDataset<BulkOfNoRange>);
static_assert(!MapDataset<int> && !MapDataset<std::vector<int>>);

static_assert(std::is_same_v<SampleOf<Plain>, std::string>);
static_assert(std::is_same_v<SampleOf<NotConst>, float>);
static_assert(std::is_same_v<SampleOf<Random>, double>);
static_assert(std::is_same_v<SampleOf<Bulk>, short>);
static_assert(std::is_same_v<SampleOf<Both>, int>);

TEST(MapDataset, is_decided_by_the_members_of_a_type) {
  // The static assertions above are the test.
  SUCCEED();
}

TEST(DatasetSize, is_named_when_it_is_negative) {
  struct Stream {
    static int size() { return -3; }
    static std::vector<int> iterate(const WorkerInfo& /*worker*/) { return {}; }
  };
  struct Map {
    static std::int64_t size() { return -4; }
    static int get(std::size_t /*index*/) { return 0; }
  };
  const DataLoader stream(Stream{});
  const DataLoader map(Map{});

  EXPECT_EQ(message_of<InvalidOptions>([&] { static_cast<void>(stream.size()); }),
            "the dataset's size() should be non-negative, but got -3");
  EXPECT_EQ(message_of<InvalidOptions>([&] { static_cast<void>(map.size()); }),
            "the dataset's size() should be non-negative, but got -4");
}

}  // namespace
}  // namespace forklift
