// SPDX-License-Identifier: MIT
// Semantics 5.1.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fake_slot.hpp"

#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift {
namespace {

using test::collate;
using test::collate_as;
using test::FakeSlot;
using test::values;

Tensor floats(const std::vector<float>& numbers) {
  return Tensor::of(numbers);
}

/// The message of the TensorError that `samples` give.
template <class Sample>
std::string error_of(const std::vector<Sample>& samples) {
  try {
    static_cast<void>(collate(samples));
  } catch (const TensorError& error) {
    return error.what();
  }
  return "no error";
}

template <class T>
void expect_numbers(const std::vector<T>& samples) {
  const Tensor batch = collate(samples);
  EXPECT_EQ(batch.dtype(), kDTypeOf<T>);
  EXPECT_EQ(batch.shape(), Shape({static_cast<std::int64_t>(samples.size())}));
  EXPECT_EQ(values<T>(batch), samples);
}

TEST(Collate, makes_a_tensor_of_the_numbers_own_type) {
  expect_numbers<std::int64_t>({1, std::int64_t{1} << 40, -3});
  expect_numbers<double>({1.0, 2.5});
  expect_numbers<float>({1.0F});
  expect_numbers<std::uint8_t>({0, 255});
  expect_numbers<std::uint64_t>({UINT64_MAX, 1});
  expect_numbers<Half>({Half(1.0F), Half(-2.0F)});
  expect_numbers<BFloat16>({BFloat16(1.0F)});
  expect_numbers<bool>({true, false, true});
}

TEST(Collate, stacks_tensors_behind_a_new_first_dimension) {
  const Tensor batch = collate<Tensor>({floats({0, 1, 2}), floats({3, 4, 5})});

  EXPECT_EQ(batch.shape(), Shape({2, 3}));
  EXPECT_EQ(values<float>(batch), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST(Collate, stacks_scalars_and_tensors_without_elements) {
  EXPECT_EQ(collate<Tensor>({Tensor::full(Shape(), 1), Tensor::full(Shape(), 2)}).shape(),
            Shape({2}));
  EXPECT_EQ(collate<Tensor>({Tensor::zeros({0, 3}), Tensor::zeros({0, 3})}).shape(),
            Shape({2, 0, 3}));
  EXPECT_EQ(collate<Tensor>({Tensor(), Tensor()}).shape(), Shape({2, 0}));
  EXPECT_EQ(collate<Tensor>({Tensor::zeros({2, 2})}).shape(), Shape({1, 2, 2}));
}

TEST(Collate, stacks_every_dtype) {
  for (std::uint8_t i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    const Tensor batch = collate<Tensor>({Tensor::zeros({2}, dtype), Tensor::zeros({2}, dtype)});
    EXPECT_EQ(batch.dtype(), dtype);
    EXPECT_EQ(batch.shape(), Shape({2, 2}));
  }
}

TEST(Collate, makes_a_matrix_of_lists_of_numbers) {
  const Tensor vectors = collate<std::vector<int>>({{1, 2}, {3, 4}, {5, 6}});
  const Tensor arrays = collate<std::array<double, 2>>({{1, 2}, {3, 4}});
  const Tensor bools = collate<std::vector<bool>>({{true, false}, {false, true}});

  EXPECT_EQ(vectors.shape(), Shape({3, 2}));
  EXPECT_EQ(values<int>(vectors), (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<double>(arrays), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(values<bool>(bools), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(collate<std::vector<int>>({{}, {}}).shape(), Shape({2, 0}));
}

TEST(Collate, keeps_texts_and_bytes_as_they_are) {
  const std::vector<std::string> texts{"a", "", std::string("b\0c", 3)};
  const std::vector<std::vector<std::byte>> bytes{{std::byte{1}}, {}};

  EXPECT_EQ(collate(texts), texts);
  EXPECT_EQ(collate(bytes), bytes);
}

TEST(Collate, goes_field_by_field_through_tuples_pairs_and_aggregates) {
  struct Inner {
    int number;
    std::string text;
  };
  using Sample = std::tuple<std::pair<int, float>, Inner>;

  const auto [pair, inner] = collate<Sample>({{{1, 1.5F}, {10, "x"}}, {{2, 2.5F}, {20, "y"}}});

  EXPECT_EQ(values<int>(pair.first), (std::vector<int>{1, 2}));
  EXPECT_EQ(values<float>(pair.second), (std::vector<float>{1.5F, 2.5F}));
  EXPECT_EQ(values<int>(std::get<0>(inner)), (std::vector<int>{10, 20}));
  EXPECT_EQ(std::get<1>(inner), (std::vector<std::string>{"x", "y"}));
}

TEST(Collate, fills_a_named_batch_member_by_member) {
  struct Sample {
    int id;
    std::optional<Tensor> mask;
  };
  struct Batch {
    Tensor ids;
    std::optional<Tensor> masks;
  };
  FakeSlot slot;

  const auto batch = collate_as<Batch>(
      slot, std::vector<Sample>{{1, Tensor::full({2}, true)}, {2, Tensor::full({2}, false)}});

  EXPECT_EQ(values<int>(batch.ids), (std::vector<int>{1, 2}));
  ASSERT_TRUE(batch.masks.has_value());
  EXPECT_EQ(values<bool>(*batch.masks), (std::vector<bool>{true, true, false, false}));
}

TEST(Collate, makes_one_entry_for_each_position_of_a_sequence) {
  const auto batch = collate<std::vector<std::pair<int, std::string>>>(
      {{{1, "a"}, {2, "b"}}, {{3, "c"}, {4, "d"}}});

  ASSERT_EQ(batch.size(), 2U);
  EXPECT_EQ(values<int>(batch[0].first), (std::vector<int>{1, 3}));
  EXPECT_EQ(values<int>(batch[1].first), (std::vector<int>{2, 4}));
  EXPECT_EQ(batch[1].second, (std::vector<std::string>{"b", "d"}));
  EXPECT_TRUE((collate<std::vector<std::string>>({{}, {}}).empty()));
}

TEST(Collate, keeps_optionals_that_all_samples_have_or_none) {
  EXPECT_EQ(values<int>(*collate<std::optional<int>>({1, 2})), (std::vector<int>{1, 2}));
  EXPECT_FALSE(collate<std::optional<int>>({std::nullopt, std::nullopt}).has_value());
}

TEST(Collate, takes_the_keys_of_the_first_map) {
  const auto batch =
      collate<std::map<std::string, int>>({{{"b", 1}, {"a", 2}}, {{"a", 3}, {"b", 4}, {"c", 5}}});
  const auto unordered = collate<std::unordered_map<int, std::string>>({{{7, "x"}}, {{7, "y"}}});

  ASSERT_EQ(batch.size(), 2U);
  EXPECT_EQ(values<int>(batch.at("a")), (std::vector<int>{2, 3}));
  EXPECT_EQ(values<int>(batch.at("b")), (std::vector<int>{1, 4}));
  EXPECT_EQ(unordered.at(7), (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE((collate<std::map<int, int>>({{}, {}}).empty()));
}

TEST(Collate, names_field_shapes_and_samples_when_shapes_differ) {
  using Sample = std::tuple<int, Tensor>;

  EXPECT_EQ(error_of<Sample>({{0, floats({1, 2})}, {0, floats({1, 2})}, {0, floats({1, 2, 3, 4})}}),
            "stack expects each tensor to be equal size, but field 1 has [2] at dataset index 10 "
            "and [4] at dataset index 30");
  EXPECT_EQ(error_of<Tensor>({Tensor::zeros({2, 3}), Tensor::zeros({3, 2})}),
            "stack expects each tensor to be equal size, but the sample has [2, 3] at dataset "
            "index 10 and [3, 2] at dataset index 20");
  EXPECT_NE(error_of<Tensor>({Tensor::zeros({2}), Tensor::zeros({2, 1})}), "no error");
  EXPECT_NE(error_of<std::vector<int>>({{1, 2}, {1}}), "no error");
}

TEST(Collate, refuses_mixed_dtypes_in_every_direction) {
  EXPECT_EQ(error_of<Tensor>({Tensor::zeros({2}, DType::i64), Tensor::zeros({2}, DType::f32)}),
            "stack expects each tensor to be of equal dtype, but the sample has int64 at dataset "
            "index 10 and float32 at dataset index 20");
  EXPECT_NE(error_of<Tensor>({Tensor::zeros({0}, DType::u8), Tensor::zeros({0}, DType::i8)}),
            "no error");
}

TEST(Collate, names_the_place_of_nested_errors) {
  using Sample =
      std::tuple<int,
                 std::pair<std::vector<std::string>, std::map<std::string, std::optional<int>>>>;
  const Sample first{0, {{"a"}, {{"k", 1}}}};

  EXPECT_EQ(error_of<Sample>({first, {0, {{"a", "b"}, {{"k", 1}}}}}),
            "each element in list of batch should be of equal size, but field 1.0 has length 1 at "
            "dataset index 10 and 2 at dataset index 20");
  EXPECT_EQ(error_of<Sample>({first, {0, {{"a"}, {{"k", std::nullopt}}}}}),
            "an optional must be present in all samples of a batch or in none, but field 1.1[k] is "
            "present at dataset index 10 and absent at dataset index 20");
  EXPECT_EQ(
      error_of<Sample>({first, {0, {{"a"}, {}}}}),
      "field 1.1[k] is in the map at dataset index 10 and not in the one at dataset index 20");
}

TEST(Collate, counts_an_optional_that_appears_later_as_an_error) {
  EXPECT_EQ(error_of<std::optional<int>>({std::nullopt, 1}),
            "an optional must be present in all samples of a batch or in none, but the sample is "
            "absent at dataset index 10 and present at dataset index 20");
}

TEST(Collate, starts_afresh_after_a_batch_that_failed) {
  using Sample = std::tuple<std::string, std::vector<int>, std::map<int, int>>;
  FakeSlot slot;
  detail::Column<Sample> column;
  const detail::FieldPath root;
  const auto run = [&](const std::vector<Sample>& samples) {
    detail::SlotCursor cursor(slot.memory());
    detail::CollateContext context{cursor, samples.size(), {}};
    column.start(context, samples.front(), root);
    for (std::size_t row = 0; row < samples.size(); ++row) {
      column.put(context, row, samples[row], root);
    }
    column.pack(cursor);
    return test::read_batch<Collated<Sample>>(slot.raw(cursor));
  };

  EXPECT_THROW(run({{"a", {1}, {{1, 1}}}, {"b", {1, 2}, {{1, 1}}}}), TensorError);
  const auto [texts, lists, maps] = run({{"c", {7, 8, 9}, {{2, 5}}}});

  EXPECT_EQ(texts, (std::vector<std::string>{"c"}));
  EXPECT_EQ(lists.shape(), Shape({1, 3}));
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_EQ(values<int>(maps.at(2)), (std::vector<int>{5}));
}

TEST(Collate, fails_before_a_page_is_touched_when_the_rows_do_not_fit) {
  FakeSlot slot(4096, 1024);
  detail::SlotCursor cursor(slot.memory());
  detail::CollateContext context{cursor, 300, {}};
  detail::Column<int> column;

  EXPECT_THROW(column.start(context, 1, {}), ResourceError);
  EXPECT_EQ(slot.payload().front(), std::byte{0xA5});
}

TEST(Collate, refuses_a_batch_of_more_bytes_than_64_bits_count) {
  FakeSlot slot;
  detail::SlotCursor cursor(slot.memory());
  detail::CollateContext context{cursor, std::size_t{1} << 62, {}};
  detail::Column<double> column;

  EXPECT_THROW(column.start(context, 1.0, {}), ResourceError);
}

}  // namespace
}  // namespace forklift
