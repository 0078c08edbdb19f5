// SPDX-License-Identifier: MIT
// Datasets that are empty, that lie about their size, or whose samples do not fit together.
// Semantics 1.2, 5.1 and 5.2.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/made_dataset.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using Numbers = test_support::Made<std::int64_t>;
using Tensors = test_support::Made<Tensor>;

class BadData : public test_support::LeavesNothing {};

template <class Loader>
std::size_t count_batches(Loader& loader) {
  std::size_t batches = 0;
  for (auto& batch : loader) {
    static_cast<void>(batch);
    ++batches;
  }
  return batches;
}

// The message of the first WorkerError of a pass, which goes on to its end.
template <class Loader>
std::string first_error(Loader& loader, std::size_t& good_batches) {
  std::string text;
  good_batches = 0;
  for (auto batch = loader.begin();; ++batch) {
    try {
      if (batch == loader.end()) {
        return text;
      }
      ++good_batches;
    } catch (const WorkerError& error) {
      text = text.empty() ? error.what() : text;
    }
  }
}

TEST_F(BadData, an_empty_dataset_gives_no_batch_and_cannot_be_shuffled) {
  for (int num_workers : {0, 2}) {
    DataLoader loader(Numbers(0, [](std::size_t) { return std::int64_t{0}; }),
                      {.num_workers = num_workers});
    EXPECT_EQ(loader.size(), 0U);
    EXPECT_EQ(count_batches(loader), 0U);
    EXPECT_EQ(count_batches(loader), 0U);
  }
  try {
    DataLoader loader(Numbers(0, [](std::size_t) { return std::int64_t{0}; }),
                      {.batch_size = 0, .shuffle = true});
    FAIL() << "no error";
  } catch (const InvalidOptions& error) {
    EXPECT_NE(std::string_view(error.what())
                  .find("num_samples should be a positive integer value, but got num_samples=0"),
              std::string_view::npos);
  }
}

TEST_F(BadData, a_size_that_is_too_large_brings_the_users_exception_with_its_index) {
  const std::vector<std::int64_t> values = {1, 2, 3, 4};
  for (int num_workers : {0, 2}) {
    DataLoader loader(Numbers(6, [&](std::size_t index) { return values.at(index); }),
                      {.batch_size = 2, .num_workers = num_workers});
    std::size_t good = 0;
    const std::string error = first_error(loader, good);
    EXPECT_EQ(good, 2U);
    EXPECT_NE(error.find("std::out_of_range"), std::string::npos) << error;
    EXPECT_NE(error.find("dataset index 4"), std::string::npos) << error;
  }
}

TEST_F(BadData, a_size_may_change_between_epochs) {
  for (const bool shuffle : {false, true}) {
    DataLoader loader(
        Numbers(10, [](std::size_t index) { return static_cast<std::int64_t>(index); }),
        {.batch_size = 2, .shuffle = shuffle, .num_workers = 1});
    EXPECT_EQ(count_batches(loader), 5U);
    loader.dataset().resize(4);
    EXPECT_EQ(loader.size(), 2U);
    EXPECT_EQ(count_batches(loader), 2U);
    loader.dataset().resize(7);
    EXPECT_EQ(count_batches(loader), 4U);
  }
}

TEST_F(BadData, a_shape_that_changes_names_both_shapes_and_both_samples) {
  for (int num_workers : {0, 2}) {
    DataLoader loader(Tensors(12,
                              [](std::size_t index) {
                                return Tensor::zeros({2, index == 7 ? 5 : 3});
                              }),
                      {.batch_size = 4, .num_workers = num_workers});
    std::size_t good = 0;
    const std::string error = first_error(loader, good);
    EXPECT_EQ(good, 2U);
    for (const char* words : {"forklift::TensorError",
                              "[2, 3]",
                              "[2, 5]",
                              "dataset index 4",
                              "dataset index 7",
                              "stack expects each tensor to be equal size"}) {
      EXPECT_NE(error.find(words), std::string::npos) << words << " in " << error;
    }
  }
}

TEST_F(BadData, a_dtype_that_changes_names_both) {
  for (int num_workers : {0, 2}) {
    DataLoader loader(Tensors(4,
                              [](std::size_t index) {
                                return Tensor::zeros({2}, index == 1 ? DType::f64 : DType::f32);
                              }),
                      {.batch_size = 2, .num_workers = num_workers});
    std::size_t good = 0;
    const std::string error = first_error(loader, good);
    EXPECT_EQ(good, 1U);
    EXPECT_NE(error.find("float32"), std::string::npos) << error;
    EXPECT_NE(error.find("float64"), std::string::npos) << error;
  }
}

TEST_F(BadData, a_shape_may_differ_between_batches) {
  DataLoader loader(Tensors(8,
                            [](std::size_t index) {
                              return Tensor::full({static_cast<std::int64_t>(1 + index / 2 * 1000)},
                                                  static_cast<float>(index));
                            }),
                    {.batch_size = 2, .num_workers = 2});
  std::int64_t expected = 1;
  for (auto& batch : loader) {
    EXPECT_EQ(batch.size(1), expected);
    EXPECT_EQ(batch.template data<float>().back(), static_cast<float>(2 * (expected / 1000) + 1));
    expected += 1000;
  }
  EXPECT_EQ(expected, 4001);
}

TEST_F(BadData, samples_without_bytes_travel) {
  for (int num_workers : {0, 2}) {
    DataLoader loader(Tensors(6,
                              [](std::size_t) {
                                return Tensor::zeros({0, 3});
                              }),
                      {.batch_size = 2, .num_workers = num_workers});
    for (auto& batch : loader) {
      EXPECT_EQ(batch.shape(), Shape({2, 0, 3}));
    }
    EXPECT_EQ(count_batches(loader), 3U);
  }
}

TEST_F(BadData, a_batch_over_the_budget_is_told_at_its_place_and_the_others_arrive) {
  for (int num_workers : {0, 2}) {
    DataLoader loader(Tensors(12,
                              [](std::size_t index) {
                                return Tensor::zeros({index == 5 ? 1 << 20 : 16}, DType::u8);
                              }),
                      {.num_workers = num_workers, .max_ring_bytes = 6 * (256 << 10)});
    std::size_t good = 0;
    std::size_t bad_at = 100;
    std::size_t place = 0;
    for (auto batch = loader.begin();; ++batch, ++place) {
      try {
        if (batch == loader.end()) {
          break;
        }
        ++good;
      } catch (const ResourceError& error) {
        bad_at = place;
        EXPECT_GE(error.needed(), std::uint64_t{1} << 20U);
        EXPECT_LT(error.available(), std::uint64_t{1} << 20U);
        EXPECT_NE(std::string_view(error.what()).find("max_ring_bytes"), std::string_view::npos);
        EXPECT_NE(std::string_view(error.what()).find("batch 5"), std::string_view::npos);
      }
    }
    EXPECT_EQ(good, 11U);
    EXPECT_EQ(bad_at, 5U);
  }
}

TEST_F(BadData, a_negative_size_is_named) {
  struct Negative {
    [[nodiscard]] int size() const { return -1; }
    [[nodiscard]] std::int64_t get(std::size_t /*index*/) const { return 0; }
  };
  for (const bool shuffle : {false, true}) {
    try {
      DataLoader loader(Negative{}, {.shuffle = shuffle});
      static_cast<void>(count_batches(loader));
      ADD_FAILURE() << "no error";
    } catch (const InvalidOptions& error) {
      EXPECT_NE(std::string_view(error.what()).find("-1"), std::string_view::npos) << error.what();
    }
  }
}

TEST_F(BadData, samples_that_get_batch_was_not_asked_for_are_not_named_by_an_index) {
  struct OneMore {
    [[nodiscard]] std::size_t size() const { return 4; }
    [[nodiscard]] std::vector<Tensor> get_batch(std::span<const std::size_t> indices) const {
      std::vector<Tensor> out(indices.size(), Tensor::zeros({2}));
      out.push_back(Tensor::zeros({3}));
      return out;
    }
  };
  DataLoader loader(OneMore{}, {.batch_size = 2});
  std::size_t good = 0;

  const std::string text = first_error(loader, good);

  EXPECT_NE(text.find("[2] at dataset index 0 and [3] at a place that get_batch was not asked for"),
            std::string::npos)
      << text;
}

TEST_F(BadData, absurd_options_are_named) {
  const auto message_of = [](const DataLoaderOptions& options) -> std::string {
    try {
      DataLoader<Numbers> loader(Numbers(4, [](std::size_t) { return std::int64_t{0}; }), options);
    } catch (const InvalidOptions& error) {
      return error.what();
    }
    return {};
  };
  const std::vector<std::pair<DataLoaderOptions, std::string>> cases = {
      {{.num_workers = -1}, "num_workers option should be non-negative"},
      {{.num_workers = 1'000'000}, "num_workers=1000000"},
      {{.num_workers = 1, .timeout = -1}, "timeout option should be non-negative"},
      {{.num_workers = 1, .timeout = std::numeric_limits<double>::quiet_NaN()},
       "timeout option should be non-negative"},
      {{.timeout = 1}, "requires timeout == 0"},
      {{.prefetch_factor = 2}, "prefetch_factor option could only be specified in multiprocessing"},
      {{.num_workers = 1, .prefetch_factor = -1}, "prefetch_factor option should be non-negative"},
      {{.num_workers = 1, .prefetch_factor = 0}, "prefetch_factor must be greater than 0"},
      {{.num_workers = 2, .prefetch_factor = std::uint64_t{1} << 63U},
       "num_workers * prefetch_factor"},
      {{.persistent_workers = true}, "persistent_workers option needs num_workers > 0"},
      {{.shuffle = true, .sampler = std::vector<int>{0}},
       "sampler option is mutually exclusive with shuffle"},
      {{.batch_size = 2, .batch_sampler = std::vector<std::vector<int>>{{0}}},
       "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
       "drop_last"},
      {{.batch_size = std::nullopt, .drop_last = true}, "mutually exclusive with drop_last"},
      {{.batch_size = -3}, "batch_size should be a positive integer value, but got batch_size=-3"},
      {{.max_ring_bytes = 1000}, "max_ring_bytes option should be at least"},
  };
  for (const auto& [options, words] : cases) {
    EXPECT_NE(message_of(options).find(words), std::string::npos)
        << "'" << message_of(options) << "' lacks: " << words;
  }
  EXPECT_EQ(message_of({.batch_size = 2, .num_workers = 2}), "");
}

}  // namespace
}  // namespace forklift
