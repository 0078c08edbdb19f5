// SPDX-License-Identifier: MIT
// What may be a stream: containers, views, objects with next(), of any sample type.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/lazy_range.hpp"
#include "support/leaves_nothing.hpp"
#include "support/streams.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::LazyRange;
using test_support::stream_options;
using test_support::take_all;
using Values = std::vector<std::int64_t>;

class StreamKinds : public test_support::LeavesNothing {};

class VectorByReference {
 public:
  const Values& iterate(const WorkerInfo& /*worker*/) const { return values_; }

 private:
  Values values_{5, 6, 7};
};

class Lazy {
 public:
  LazyRange iterate(const WorkerInfo& worker) const {
    return {(9 - worker.id + worker.num_workers - 1) / worker.num_workers,
            [worker](std::size_t number) {
              return static_cast<std::int64_t>(10 * (worker.id + number * worker.num_workers));
            }};
  }
};

TEST_F(StreamKinds, may_be_a_container_of_the_dataset_or_made_on_the_way) {
  for (const int num_workers : {0, 1}) {
    DataLoader container(VectorByReference(), stream_options(num_workers));
    EXPECT_EQ(take_all(container), (Values{5, 6, 7}));
    EXPECT_EQ(take_all(container), (Values{5, 6, 7}));
  }
  DataLoader view(Lazy(), stream_options(2));
  EXPECT_EQ(take_all(view), (Values{0, 20, 10, 30, 40, 60, 50, 70, 80}));
}

class Bools {
 public:
  static std::vector<bool> iterate(const WorkerInfo& /*worker*/) { return {true, false, true}; }
};
class BulkBools {
 public:
  static std::size_t size() { return 3; }
  static std::vector<bool> get_batch(std::span<const std::size_t> indices) {
    return std::vector<bool>(indices.size(), true);
  }
};
class PlainBools {
 public:
  static std::size_t size() { return 2; }
  static bool get(std::size_t index) { return index == 1; }
};

TEST_F(StreamKinds, of_bool_are_as_any_other) {
  DataLoader stream(Bools(), {.batch_size = 3});
  for (auto& batch : stream) {
    EXPECT_EQ(batch.dtype(), DType::boolean);
    EXPECT_TRUE(batch.data<bool>()[0] && !batch.data<bool>()[1] && batch.data<bool>()[2]);
  }
  DataLoader bulk(BulkBools(), {.batch_size = 3});
  for (auto& batch : bulk) {
    EXPECT_TRUE(batch.data<bool>()[2]);
  }
  DataLoader<PlainBools, bool> single(PlainBools(), {.batch_size = std::nullopt});
  std::vector<int> values;
  for (const bool value : single) {
    values.push_back(static_cast<int>(value));
  }
  EXPECT_EQ(values, (std::vector<int>{0, 1}));
}

class KeepsInfo {
 public:
  // By reference, as a coroutine's frame would hold its parameter.
  class Stream {
   public:
    explicit Stream(const WorkerInfo& worker) : worker_(worker) {}
    std::optional<std::int64_t> next() {
      while (next_ < 10 && static_cast<std::size_t>(next_) % worker_.num_workers != worker_.id) {
        ++next_;
      }
      return next_ < 10 ? std::optional(next_++) : std::nullopt;
    }

   private:
    const WorkerInfo& worker_;
    std::int64_t next_ = 0;
  };
  Stream iterate(const WorkerInfo& worker) const { return Stream(worker); }
};

TEST_F(StreamKinds, may_refer_to_the_worker_info_for_as_long_as_they_live) {
  for (const int num_workers : {0, 1, 2}) {
    DataLoader loader(KeepsInfo(), stream_options(num_workers));
    EXPECT_EQ(take_all(loader).size(), 10U);
  }
}

struct Unique {
  std::unique_ptr<std::int64_t> value;
};
class MoveOnlySamples {
 public:
  static std::vector<Unique> iterate(const WorkerInfo& /*worker*/) {
    std::vector<Unique> samples(2);
    samples[0].value = std::make_unique<std::int64_t>(5);
    samples[1].value = std::make_unique<std::int64_t>(6);
    return samples;
  }
};
class Immovable {
 public:
  struct Stream {
    Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() = default;
    std::optional<std::int64_t> next() { return left > 0 ? std::optional(left--) : std::nullopt; }
    std::int64_t left = 3;
  };
  static Stream iterate(const WorkerInfo& /*worker*/) { return {}; }
};

TEST_F(StreamKinds, and_samples_need_not_be_copyable_nor_streams_movable) {
  DataLoader samples(MoveOnlySamples(), {.batch_size = 2}, [](std::vector<Unique> unique) {
    return *unique.at(0).value * 10 + *unique.at(1).value;
  });
  for (const std::int64_t value : samples) {
    EXPECT_EQ(value, 56);
  }
  DataLoader stream(Immovable(), {.batch_size = 3});
  EXPECT_EQ(take_all(stream), (Values{3, 2, 1}));
}

class OfPairs {
 public:
  static std::map<std::string, std::int64_t> iterate(const WorkerInfo& /*worker*/) {
    return {{"a", 1}, {"b", 2}};
  }
};

TEST_F(StreamKinds, may_be_maps) {
  DataLoader loader(OfPairs(), {.batch_size = 2});
  for (auto& [keys, values] : loader) {
    EXPECT_EQ(keys, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(values.data<std::int64_t>()[1], 2);
  }
}

}  // namespace
}  // namespace forklift
