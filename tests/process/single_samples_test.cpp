// SPDX-License-Identifier: MIT
// batch_size = std::nullopt: one sample a time, as PyTorch does without automatic batching.
// Semantics 1.1, 1.3 and 5.3.
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

class SingleSamples : public test_support::LeavesNothing {};

struct Record {
  Tensor image;
  std::int64_t label = 0;
  std::array<float, 3> box{};
  std::string name;
  std::optional<double> weight;
  std::map<std::string, std::int32_t> counts;
};

class Records {
 public:
  std::size_t size() const { return 5; }
  Record get(std::size_t index) const {
    const auto number = static_cast<std::int64_t>(index);
    return {Tensor::zeros({number + 1, 2}, DType::u8),  // no two fit into one batch
            number,
            {0, 1, static_cast<float>(number)},
            std::string(index, 'x'),
            index % 2 == 0 ? std::optional(0.5) : std::nullopt,
            {{"a", static_cast<std::int32_t>(number)}}};
  }
};

DataLoaderOptions without_batches(int num_workers) {
  return {.batch_size = std::nullopt, .num_workers = num_workers};
}

TEST_F(SingleSamples, keep_their_structure_and_lose_the_leading_dimension) {
  for (const int num_workers : {0, 2}) {
    DataLoader loader(Records(), without_batches(num_workers));
    EXPECT_EQ(loader.size(), 5U);
    EXPECT_EQ(loader.batch_size(), std::nullopt);
    std::int64_t number = 0;
    for (auto& [image, label, box, name, weight, counts] : loader) {
      EXPECT_EQ(image.shape(), Shape({number + 1, 2}));
      EXPECT_EQ(label.dim(), 0);
      EXPECT_EQ(label.data<std::int64_t>()[0], number);
      EXPECT_EQ(box.shape(), Shape({3}));
      EXPECT_EQ(box.data<float>()[2], static_cast<float>(number));
      EXPECT_EQ(name, std::vector<std::string>{std::string(static_cast<std::size_t>(number), 'x')});
      EXPECT_EQ(weight.has_value(), number % 2 == 0);
      EXPECT_EQ(counts.at("a").dim(), 0);
      EXPECT_EQ(counts.at("a").data<std::int32_t>()[0], number);
      ++number;
    }
    EXPECT_EQ(number, 5);
  }
}

TEST_F(SingleSamples, come_as_they_are_when_the_batch_type_is_the_sample_s_own) {
  for (const int num_workers : {0, 2}) {
    DataLoader<Records, Record> loader(Records(), without_batches(num_workers));
    std::int64_t number = 0;
    for (const Record& record : loader) {
      EXPECT_EQ(record.image.shape(), Shape({number + 1, 2}));
      EXPECT_EQ(record.label, number);
      EXPECT_EQ(record.box[2], static_cast<float>(number));
      EXPECT_EQ(record.name.size(), static_cast<std::size_t>(number));
      EXPECT_EQ(record.weight, number % 2 == 0 ? std::optional(0.5) : std::nullopt);
      EXPECT_EQ(record.counts.at("a"), number);
      ++number;
    }
    EXPECT_EQ(number, 5);
  }
  DataLoader<test_support::Numbers, std::int64_t> numbers(
      test_support::Numbers(3, test_support::identity), without_batches(1));
  std::vector<std::int64_t> values;
  for (const std::int64_t value : numbers) {
    values.push_back(value);
  }
  EXPECT_EQ(values, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST_F(SingleSamples, of_their_own_type_come_in_no_batches) {
  const std::string message = test_support::message_of<InvalidOptions>(
      [] { DataLoader<Records, Record> loader(Records(), {.batch_size = 4}); });
  EXPECT_EQ(message,
            "this loader's batch type is the sample's own, which needs batch_size=nullopt, but got "
            "batch_size=4");
}

TEST_F(SingleSamples, go_to_the_collate_fn_one_by_one) {
  const auto name_of = [](Record record) { return record.name + "!"; };
  for (const int num_workers : {0, 1}) {
    DataLoader loader(Records(), without_batches(num_workers), name_of);
    std::string names;
    for (const std::string& name : loader) {
      names += name;
    }
    EXPECT_EQ(names, "!x!xx!xxx!xxxx!");
  }
  const std::string message = test_support::message_of<InvalidOptions>(
      [&] { DataLoader loader(Records(), {.batch_size = 2}, name_of); });
  EXPECT_EQ(message,
            "collate_fn takes one sample, which needs batch_size=nullopt, but got batch_size=2");
}

TEST_F(SingleSamples, are_a_list_of_one_for_a_collate_fn_that_takes_lists) {
  DataLoader loader(Records(), without_batches(1), [](const std::vector<Record>& records) {
    return static_cast<std::int64_t>(records.size());
  });
  std::int64_t samples = 0;
  for (const std::int64_t count : loader) {
    EXPECT_EQ(count, 1);
    ++samples;
  }
  EXPECT_EQ(samples, 5);
}

class InBulkAndAlone {
 public:
  std::size_t size() const { return 4; }
  std::int64_t get(std::size_t index) const { return static_cast<std::int64_t>(index); }
  std::vector<std::int64_t> get_batch(std::span<const std::size_t> indices) const {
    return std::vector<std::int64_t>(indices.size(), -1);
  }
};

// Source: semantics 3.3.
TEST_F(SingleSamples, are_not_read_by_the_bulk_getter) {
  DataLoader alone(InBulkAndAlone(), without_batches(1));
  std::vector<std::int64_t> values;
  for (auto& sample : alone) {
    values.push_back(sample.data<std::int64_t>()[0]);
  }
  EXPECT_EQ(values, (std::vector<std::int64_t>{0, 1, 2, 3}));
  DataLoader in_bulk(InBulkAndAlone(), {.batch_size = 4});
  for (auto& batch : in_bulk) {
    EXPECT_EQ(batch.data<std::int64_t>()[3], -1);
  }
}

TEST_F(SingleSamples, of_a_bulk_getter_are_one_for_one_index) {
  struct TwoForOne {
    std::size_t size() const { return 3; }
    std::vector<std::int64_t> get_batch(std::span<const std::size_t> /*indices*/) const {
      return {1, 2};
    }
  };
  DataLoader loader(TwoForOne(), without_batches(0));
  const std::string message = test_support::message_of<WorkerError>([&] {
    for (auto& sample : loader) {
      static_cast<void>(sample);
    }
  });
  EXPECT_NE(message.find("get_batch returned 2 samples for one index"), std::string::npos)
      << message;
}

TEST_F(SingleSamples, may_be_collated_by_a_member) {
  DataLoader loader(Records(), without_batches(1), &Record::label);
  std::int64_t number = 0;
  for (const std::int64_t label : loader) {
    EXPECT_EQ(label, number++);
  }
  EXPECT_EQ(number, 5);
}

TEST_F(SingleSamples, exclude_drop_last) {
  const std::string message = test_support::message_of<InvalidOptions>(
      [] { DataLoader loader(Records(), {.batch_size = std::nullopt, .drop_last = true}); });
  EXPECT_NE(
      message.find("batch_size=nullopt option disables auto-batching and is mutually exclusive"),
      std::string::npos)
      << message;
}

TEST_F(SingleSamples, throw_at_their_place) {
  struct Bad {
    std::size_t size() const { return 3; }
    std::int64_t get(std::size_t index) const {
      return index == 1 ? throw std::domain_error("bad") : static_cast<std::int64_t>(index);
    }
  };
  for (const int num_workers : {0, 1}) {
    DataLoader loader(Bad(), without_batches(num_workers));
    auto sample = loader.begin();
    EXPECT_EQ((*sample).data<std::int64_t>()[0], 0);
    ++sample;
    EXPECT_THROW(static_cast<void>(*sample), WorkerError);
    ++sample;
    EXPECT_EQ((*sample).data<std::int64_t>()[0], 2);
    ++sample;
    EXPECT_TRUE(sample == loader.end());
  }
}

}  // namespace
}  // namespace forklift
