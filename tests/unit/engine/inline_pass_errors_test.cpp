// SPDX-License-Identifier: MIT
// What goes wrong in a pass without workers, through the public DataLoader.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "numbers.hpp"

#include <forklift/batch_iterator.hpp>
#include <forklift/data_loader.hpp>
#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift {
namespace {

using test::Numbers;
using test::values;

struct ThrowsAt {
  std::size_t bad = 4;
  [[nodiscard]] static std::size_t size() { return 9; }
  [[nodiscard]] std::int64_t get(std::size_t index) const {
    if (index == bad) {
      throw std::out_of_range("row " + std::to_string(index));
    }
    return static_cast<std::int64_t>(index);
  }
};

TEST(InlinePass, throws_the_users_error_at_its_place_with_the_original_inside) {
  DataLoader loader(ThrowsAt{}, {.batch_size = 3});
  auto it = loader.begin();
  EXPECT_EQ(values(*it), (std::vector<std::int64_t>{0, 1, 2}));
  ++it;

  try {
    static_cast<void>(it == std::default_sentinel);
    FAIL() << "no error";
  } catch (const WorkerError& error) {
    EXPECT_EQ(error.original_type(), "std::out_of_range");
    EXPECT_EQ(error.original_message(), "row 4");
    EXPECT_EQ(error.batch_index(), 1U);
    EXPECT_EQ(error.dataset_index(), 4U);
    EXPECT_NE(std::string(error.what()).find("in the loading thread"), std::string::npos);
    EXPECT_THROW(std::rethrow_if_nested(error), std::out_of_range);
  }
  EXPECT_THROW(static_cast<void>(*it), WorkerError);
  ++it;
  EXPECT_EQ(values(*it), (std::vector<std::int64_t>{6, 7, 8}));
}

TEST(InlinePass, loses_no_slot_to_errors) {
  DataLoader loader(ThrowsAt{}, {.batch_size = 3});
  for (int pass = 0; pass < 20; ++pass) {
    auto it = loader.begin();
    ++it;
    EXPECT_THROW(static_cast<void>(*it), WorkerError);
    ++it;
    EXPECT_EQ(values(*it), (std::vector<std::int64_t>{6, 7, 8}));
  }
}

TEST(InlinePass, throws_a_batch_that_does_not_fit_as_a_resource_error_and_goes_on) {
  struct Growing {
    [[nodiscard]] static std::size_t size() { return 3; }
    [[nodiscard]] static Tensor get(std::size_t index) {
      return Tensor::zeros({index == 1 ? 100'000 : 10}, DType::u8);
    }
  };
  DataLoader loader(Growing{}, {.max_ring_bytes = 3 * 65536});
  auto it = loader.begin();
  EXPECT_EQ((*it).numel(), 10);
  ++it;

  try {
    static_cast<void>(*it);
    FAIL() << "no error";
  } catch (const ResourceError& error) {
    EXPECT_GE(error.needed(), 100'000U);
    EXPECT_LE(error.available(), 65536U);
    EXPECT_NE(error.knob().find("max_ring_bytes"), std::string::npos);
  }
  ++it;
  EXPECT_EQ((*it).numel(), 10);
}

TEST(InlinePass, throws_what_the_sampler_throws_after_the_batches_before_it) {
  struct Sampler {
    struct Cursor {
      std::size_t index = 0;
      std::optional<std::size_t> next() {
        if (index == 2) {
          throw std::logic_error("sampler");
        }
        return index++;
      }
    };
    [[nodiscard]] static Cursor iterate() { return {}; }
  };
  DataLoader loader(Numbers{}, {.batch_size = 1, .sampler = Sampler()});
  auto it = loader.begin();
  EXPECT_EQ(values(*it), (std::vector<std::int64_t>{0}));
  ++it;
  EXPECT_EQ(values(*it), (std::vector<std::int64_t>{1}));
  ++it;

  EXPECT_THROW(static_cast<void>(*it), std::logic_error);
  ++it;
  EXPECT_TRUE(it == std::default_sentinel);
}

TEST(InlinePass, refuses_a_bulk_getter_that_gives_nothing) {
  struct Bulk {
    [[nodiscard]] static std::size_t size() { return 2; }
    [[nodiscard]] static std::vector<int> get_batch(std::span<const std::size_t>) { return {}; }
  };
  DataLoader loader(Bulk{}, {.batch_size = 2});
  auto it = loader.begin();

  EXPECT_THROW(static_cast<void>(*it), WorkerError);
}

TEST(InlinePass, names_both_samples_that_do_not_fit_together) {
  struct Ragged {
    [[nodiscard]] static std::size_t size() { return 4; }
    [[nodiscard]] static std::vector<int> get(std::size_t index) {
      return std::vector<int>(index == 3 ? 2 : 1);
    }
  };
  DataLoader loader(Ragged{}, {.batch_size = 2});
  auto it = loader.begin();
  ++it;

  try {
    static_cast<void>(*it);
    FAIL() << "no error";
  } catch (const WorkerError& error) {
    EXPECT_EQ(error.original_type(), "forklift::TensorError");
    EXPECT_NE(error.original_message().find("[1] at dataset index 2 and [2] at dataset index 3"),
              std::string::npos)
        << error.original_message();
    EXPECT_EQ(error.dataset_index(), 3U);
  }
}

TEST(InlinePass, names_no_sample_for_an_error_of_the_collate_fn) {
  DataLoader loader(Numbers{}, {.batch_size = 2}, [](const std::vector<std::int64_t>&) -> Tensor {
    throw std::runtime_error("cannot collate");
  });
  auto it = loader.begin();

  try {
    static_cast<void>(*it);
    FAIL() << "no error";
  } catch (const WorkerError& error) {
    EXPECT_EQ(error.original_message(), "cannot collate");
    EXPECT_FALSE(error.dataset_index().has_value());
  }
}

TEST(InlinePass, refuses_to_be_used_out_of_itself) {
  struct Reentrant {
    std::shared_ptr<BatchIterator<Tensor>*> iterator =
        std::make_shared<BatchIterator<Tensor>*>(nullptr);
    [[nodiscard]] static std::size_t size() { return 2; }
    [[nodiscard]] int get(std::size_t) const {
      static_cast<void>(**iterator == std::default_sentinel);
      return 0;
    }
  };
  Reentrant dataset;
  const auto iterator = dataset.iterator;
  DataLoader loader(std::move(dataset), {});
  auto it = loader.begin();
  *iterator = &it;

  try {
    static_cast<void>(*it);
    FAIL() << "no error";
  } catch (const WorkerError& error) {
    EXPECT_EQ(error.original_type(), "forklift::StateError");
  }
}

}  // namespace
}  // namespace forklift
