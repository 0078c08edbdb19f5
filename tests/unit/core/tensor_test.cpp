// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fake_slot.hpp"

#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift {
namespace {

using test::values;

TEST(Tensor, is_empty_when_made_without_anything) {
  const Tensor tensor;

  EXPECT_EQ(tensor.shape(), Shape({0}));
  EXPECT_EQ(tensor.dtype(), DType::f32);
  EXPECT_TRUE(tensor.data<float>().empty());
  EXPECT_EQ(tensor.clone().num_bytes(), 0U);
}

TEST(Tensor, lies_aligned_whatever_its_size) {
  for (std::int64_t count = 0; count < 200; ++count) {
    const Tensor tensor = Tensor::empty({count}, DType::u8);
    const auto address = reinterpret_cast<std::uintptr_t>(tensor.bytes().data());
    ASSERT_EQ(address % Tensor::kAlignment, 0U) << count;
  }
}

TEST(Tensor, holds_zeros_a_value_or_a_copy) {
  const std::vector<std::int16_t> source{1, -2, 3};
  const std::array<double, 2> numbers{0.5, 1.5};

  EXPECT_EQ(values<std::int64_t>(Tensor::zeros({2, 2}, DType::i64)),
            (std::vector<std::int64_t>{0, 0, 0, 0}));
  EXPECT_EQ(values<float>(Tensor::full({3}, 2.5F)), (std::vector<float>{2.5F, 2.5F, 2.5F}));
  EXPECT_EQ(values<std::int16_t>(Tensor::of(source)), source);
  EXPECT_EQ(Tensor::of(std::span<const double>(numbers)).shape(), Shape({2}));
  EXPECT_EQ(values<bool>(Tensor::of(std::vector<bool>{true, false})),
            (std::vector<bool>{true, false}));
}

TEST(Tensor, refuses_elements_as_another_type) {
  const Tensor tensor = Tensor::zeros({2}, DType::i32);

  try {
    static_cast<void>(tensor.data<float>());
    FAIL() << "no error";
  } catch (const TensorError& error) {
    EXPECT_STREQ(error.what(), "expected a tensor of float32, this one has int32 and shape [2]");
  }
  EXPECT_THROW(static_cast<void>(tensor.data<std::uint32_t>()), TensorError);
  EXPECT_EQ(tensor.data<const std::int32_t>().size(), 2U);
}

TEST(Tensor, gives_the_one_element_of_a_scalar) {
  EXPECT_EQ(Tensor::full(Shape(), 7).item<int>(), 7);
  EXPECT_EQ(Tensor::full({1, 1}, 7).item<int>(), 7);
  EXPECT_THROW(static_cast<void>(Tensor::full({2}, 7).item<int>()), TensorError);
  EXPECT_THROW(static_cast<void>(Tensor::full({0}, 7).item<int>()), TensorError);
  EXPECT_THROW(static_cast<void>(Tensor::full({1}, 7).item<float>()), TensorError);
}

TEST(Tensor, counts_negative_dimensions_from_the_last) {
  const Tensor tensor = Tensor::zeros({2, 3, 4});

  EXPECT_EQ(tensor.size(0), 2);
  EXPECT_EQ(tensor.size(-1), 4);
  EXPECT_EQ(tensor.size(-3), 2);
  EXPECT_THROW(static_cast<void>(tensor.size(3)), TensorError);
  EXPECT_THROW(static_cast<void>(tensor.size(-4)), TensorError);
  EXPECT_THROW(static_cast<void>(Tensor::zeros(Shape()).size(0)), TensorError);
}

TEST(Tensor, shares_its_memory_with_copies_rows_and_other_shapes) {
  const Tensor tensor = Tensor::of(std::vector<int>{0, 1, 2, 3, 4, 5}).reshape({3, 2});
  const Tensor copy = tensor;

  copy.data<int>()[3] = 30;
  tensor.row(2).data<int>()[1] = 50;

  EXPECT_EQ(values<int>(tensor), (std::vector<int>{0, 1, 2, 30, 4, 50}));
  EXPECT_EQ(tensor.row(1).shape(), Shape({2}));
  EXPECT_EQ(values<int>(tensor.row(1)), (std::vector<int>{2, 30}));
}

TEST(Tensor, has_memory_of_its_own_as_a_clone) {
  const Tensor tensor = Tensor::full({2, 2}, 1);
  const Tensor clone = tensor.clone();

  clone.data<int>()[0] = 9;

  EXPECT_EQ(tensor.data<int>()[0], 1);
  EXPECT_EQ(clone.shape(), tensor.shape());
}

TEST(Tensor, refuses_rows_that_are_not_there) {
  const Tensor tensor = Tensor::zeros({2, 3});

  EXPECT_THROW(static_cast<void>(tensor.row(2)), TensorError);
  EXPECT_THROW(static_cast<void>(tensor.row(-1)), TensorError);
  EXPECT_THROW(static_cast<void>(Tensor::zeros(Shape()).row(0)), TensorError);
  EXPECT_THROW(static_cast<void>(Tensor::zeros({0, 3}).row(0)), TensorError);
}

TEST(Tensor, refuses_a_shape_of_another_number_of_elements) {
  EXPECT_THROW(static_cast<void>(Tensor::zeros({2, 3}).reshape({5})), TensorError);
  EXPECT_EQ(Tensor::zeros({2, 3}).reshape({3, 1, 2}).shape(), Shape({3, 1, 2}));
}

TEST(Tensor, keeps_the_owner_of_foreign_memory_alive) {
  auto owner = std::make_shared<std::array<float, 4>>();
  const std::weak_ptr<std::array<float, 4>> watch = owner;
  auto* memory = reinterpret_cast<std::byte*>(owner->data());
  auto row =
      std::make_unique<Tensor>(Tensor::over(memory, {2, 2}, DType::f32, std::move(owner)).row(1));

  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(row->bytes().data(), memory + 8);

  row.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(Tensor, refuses_more_bytes_than_memory_can_have) {
  EXPECT_THROW(static_cast<void>(Tensor::empty({INT64_MAX}, DType::f64)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(Tensor::empty({INT64_MAX}, DType::u8)), std::bad_alloc);
}

}  // namespace
}  // namespace forklift
