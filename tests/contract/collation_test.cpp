// SPDX-License-Identifier: MIT
// PyTorch test/test_dataloader.py: collation. Semantics 1.1, 5.1, 5.2 and 5.3; which dtype and
// shape follow from which samples is also in golden/GoldenCollate.
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/made_dataset.hpp"
#include "support/message_of.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::kLoadingModes;
using test_support::LoadingMode;
using test_support::Made;
using test_support::message_of;
using TestDataLoader = test_support::LeavesNothing;
using TestDictDataLoader = test_support::LeavesNothing;
using TestNamedTupleDataLoader = test_support::LeavesNothing;

// Calls `check(batch)` with the one batch that `samples` make, for each way to load them.
template <class Sample, class Check>
void for_batch_of(const std::vector<Sample>& samples, Check&& check) {
  for (const LoadingMode& mode : kLoadingModes) {
    SCOPED_TRACE(mode.text());
    DataLoaderOptions options = mode.options();
    options.batch_size = samples.size();
    DataLoader loader(
        Made<Sample>(samples.size(), [samples](std::size_t index) { return samples[index]; }),
        options);
    std::size_t batches = 0;
    for (auto& batch : loader) {
      check(batch);
      ++batches;
    }
    EXPECT_EQ(batches, 1U);
  }
}

template <class T>
void expect_numbers(const std::vector<T>& numbers, DType dtype) {
  for_batch_of(numbers, [&](const Tensor& batch) {
    ASSERT_EQ(batch.dtype(), dtype);
    EXPECT_EQ(batch.shape(), Shape({static_cast<std::int64_t>(numbers.size())}));
    const auto data = batch.data<T>();
    EXPECT_EQ(std::vector<T>(data.begin(), data.end()), numbers);
  });
}

TEST_F(TestDataLoader, default_collate_dtype) {
  expect_numbers<std::int64_t>({1, 2, -1}, DType::i64);
  expect_numbers<double>({1.0, 2.0, -1.0}, DType::f64);
  expect_numbers<bool>({true, false}, DType::boolean);
  for_batch_of<std::string>({"a", "b", "c"}, [](const std::vector<std::string>& batch) {
    EXPECT_EQ(batch, (std::vector<std::string>{"a", "b", "c"}));
  });
}

// Upstream's are the scalars of NumPy, each with a dtype of its own; C++ has such numbers itself.
TEST_F(TestDataLoader, numpy_scalars) {
  expect_numbers<float>({1, 0}, DType::f32);
  expect_numbers<Half>({Half(1.0F), Half(0.0F)}, DType::f16);
  expect_numbers<std::int8_t>({1, 0}, DType::i8);
  expect_numbers<std::int16_t>({1, 0}, DType::i16);
  expect_numbers<std::int32_t>({1, 0}, DType::i32);
  expect_numbers<std::uint8_t>({1, 0}, DType::u8);
}

TEST_F(TestDataLoader, default_collate_bad_sequence_type) {
  using Texts = std::vector<std::string>;
  const auto message = [](const std::vector<Texts>& samples) {
    return message_of<WorkerError>([&] { for_batch_of(samples, [](const auto&) {}); });
  };
  const std::string words = "each element in list of batch should be of equal size";
  EXPECT_NE(message({{"X"}, {"X", "X"}}).find(words), std::string::npos);
  EXPECT_NE(message({{"X", "X"}, {"X"}}).find(words), std::string::npos);
}

TEST_F(TestDataLoader, default_collate_mapping_keep_type) {
  using Map = std::map<std::string, std::int64_t>;
  for_batch_of<Map>({{{"a", 1}, {"b", 2}}, {{"b", 4}, {"a", 3}, {"c", 5}}},
                    [](const std::map<std::string, Tensor>& batch) {
                      ASSERT_EQ(batch.size(), 2U) << "the keys are the first sample's";
                      EXPECT_EQ(batch.at("a").data<std::int64_t>()[1], 3);
                      EXPECT_EQ(batch.at("b").data<std::int64_t>()[1], 4);
                    });
  using Hashed = std::unordered_map<std::int64_t, std::string>;
  static_assert(std::is_same_v<Collated<Hashed>, std::map<std::int64_t, std::vector<std::string>>>);
}

TEST_F(TestDataLoader, default_collate_sequence_keep_type) {
  // A sequence of what is no number is one entry for each position, as upstream's.
  using Texts = std::vector<std::string>;
  for_batch_of<Texts>({{"a", "b"}, {"c", "d"}}, [](const std::vector<Texts>& batch) {
    EXPECT_EQ(batch, (std::vector<Texts>{{"a", "c"}, {"b", "d"}}));
  });
  static_assert(std::is_same_v<Collated<std::array<std::string, 2>>, std::vector<Texts>>);
}

TEST_F(TestDataLoader, default_collate_sequence_dont_keep_type) {
  // Numbers become a matrix, whatever they come in.
  for_batch_of<std::array<std::int64_t, 2>>({{1, 2}, {3, 4}}, [](const Tensor& batch) {
    EXPECT_EQ(batch.shape(), Shape({2, 2}));
    EXPECT_EQ(batch.data<std::int64_t>()[2], 3);
  });
}

// Whether the memory at `address` is shared with other processes.
bool is_shared(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t first = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string permissions;
    fields >> std::hex >> first >> dash >> end >> permissions;
    if (first <= wanted && wanted < end) {
      return permissions.at(3) == 's';
    }
  }
  return false;
}

TEST_F(TestDataLoader, default_collate_shared_tensor) {
  for (const LoadingMode& mode : kLoadingModes) {
    DataLoaderOptions options = mode.options();
    options.batch_size = 4;
    DataLoader loader(Made<Tensor>(4, [](std::size_t) { return Tensor::zeros({64}); }), options);
    for (auto& batch : loader) {
      EXPECT_EQ(is_shared(batch.bytes().data()), mode.forks()) << mode.text();
    }
  }
}

// What a single sample becomes without batches.
template <class Sample, class Check>
void for_converted(const Sample& sample, Check&& check) {
  for (const int num_workers : {0, 1}) {
    DataLoader loader(Made<Sample>(1, [sample](std::size_t) { return sample; }),
                      {.batch_size = std::nullopt, .num_workers = num_workers});
    for (auto& converted : loader) {
      check(converted);
    }
  }
}

TEST_F(TestDataLoader, default_convert_mapping_keep_type) {
  for_converted(std::map<std::string, double>{{"a", 1.5}},
                [](const std::map<std::string, Tensor>& converted) {
                  EXPECT_EQ(converted.at("a").shape(), Shape());
                  EXPECT_EQ(converted.at("a").item<double>(), 1.5);
                });
}

TEST_F(TestDataLoader, default_convert_sequence_keep_type) {
  for_converted(std::vector<std::int64_t>{1, 2, 3},
                [](const Tensor& converted) { EXPECT_EQ(converted.shape(), Shape({3})); });
}

TEST_F(TestDataLoader, default_convert_sequence_dont_keep_type) {
  for_converted(std::tuple(std::string("a"), std::int64_t{2}),
                [](const std::tuple<std::vector<std::string>, Tensor>& converted) {
                  EXPECT_EQ(std::get<0>(converted), std::vector<std::string>{"a"});
                  EXPECT_EQ(std::get<1>(converted).item<std::int64_t>(), 2);
                });
}

struct Inner {
  std::int64_t a_number = 0;
};
struct Outer {
  Tensor a_tensor;
  Inner another_dict;
};

TEST_F(TestDictDataLoader, sequential_batch) {
  for (const LoadingMode& mode : kLoadingModes) {
    DataLoaderOptions options = mode.options();
    options.batch_size = 2;
    DataLoader loader(Made<Outer>(10,
                                  [](std::size_t index) {
                                    return Outer{Tensor::full({4, 2}, static_cast<float>(index)),
                                                 {static_cast<std::int64_t>(index)}};
                                  }),
                      options);
    EXPECT_EQ(loader.size(), 5U);
    std::size_t number = 0;
    for (const auto& [tensors, inner] : loader) {
      const Tensor& numbers = std::get<0>(inner);
      ASSERT_EQ(tensors.shape(), Shape({2, 4, 2}));
      ASSERT_EQ(numbers.shape(), Shape({2}));
      for (std::int64_t row = 0; row < 2; ++row, ++number) {
        EXPECT_EQ(numbers.row(row).item<std::int64_t>(), static_cast<std::int64_t>(number));
        for (const float element : tensors.row(row).data<float>()) {
          EXPECT_EQ(element, static_cast<float>(number));
        }
      }
    }
    EXPECT_EQ(number, 10U);
  }
}

struct NamedBatch {
  Tensor data;
  std::vector<std::string> label;
};
struct Named {
  using Batch = NamedBatch;
  std::int64_t data = 0;
  std::string label;
};

TEST_F(TestNamedTupleDataLoader, dataloader_with_namedtuple) {
  for (const LoadingMode& mode : kLoadingModes) {
    DataLoaderOptions options = mode.options();
    options.batch_size = 2;
    DataLoader<Made<Named>, NamedBatch> loader(
        Made<Named>(4,
                    [](std::size_t index) {
                      return Named{static_cast<std::int64_t>(index), std::string(index, 'x')};
                    }),
        options);
    std::size_t number = 0;
    for (const NamedBatch& batch : loader) {
      EXPECT_EQ(batch.data.data<std::int64_t>()[1], static_cast<std::int64_t>(number + 1));
      EXPECT_EQ(batch.label[1].size(), number + 1);
      number += 2;
    }
    EXPECT_EQ(number, 4U);
  }
}

}  // namespace
}  // namespace forklift
