// SPDX-License-Identifier: MIT
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

#include <forklift/batch_writer.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift {
namespace {

using detail::SlotCursor;
using test::FakeSlot;
using test::read_batch;
using test::values;

template <class T>
T round_trip(const T& batch) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  detail::pack(cursor, batch);
  return read_batch<T>(slot.raw(cursor));
}

TEST(Pack, brings_back_every_kind_of_part) {
  using Batch = std::tuple<int,
                           bool,
                           Half,
                           std::string,
                           std::vector<std::byte>,
                           std::vector<double>,
                           std::array<std::uint8_t, 3>,
                           std::vector<bool>,
                           std::optional<std::string>,
                           std::optional<int>,
                           std::vector<std::pair<int, std::string>>,
                           std::array<std::string, 2>,
                           std::map<std::string, std::vector<int>>,
                           std::unordered_map<int, float>>;
  const Batch batch{-5,
                    true,
                    Half(1.5F),
                    std::string("a\0b", 3),
                    {std::byte{9}},
                    {0.5, 1.5},
                    {1, 2, 3},
                    {true, false},
                    "there",
                    std::nullopt,
                    {{1, "x"}, {2, ""}},
                    {"first", "second"},
                    {{"k", {1, 2}}, {"", {}}},
                    {{7, 0.25F}}};

  EXPECT_EQ(round_trip(batch), batch);
}

TEST(Pack, brings_back_empty_parts) {
  using Batch =
      std::tuple<std::string, std::vector<std::string>, std::map<int, int>, std::array<int, 0>>;
  EXPECT_EQ(round_trip(Batch()), Batch());
}

TEST(Pack, copies_tensors_of_the_heap_into_the_slot) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  const std::vector<Tensor> batch{Tensor::full({2, 2}, 7), Tensor::full({3}, 0.5), Tensor()};
  detail::pack(cursor, batch);

  const auto back = read_batch<std::vector<Tensor>>(slot.raw(cursor));

  ASSERT_EQ(back.size(), 3U);
  EXPECT_EQ(back[0].bytes().data(), slot.payload().data());
  EXPECT_EQ(back[0].shape(), Shape({2, 2}));
  EXPECT_EQ(values<int>(back[0]), (std::vector<int>{7, 7, 7, 7}));
  EXPECT_EQ(values<double>(back[1]), (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(back[2].shape(), Shape({0}));
}

TEST(Pack, leaves_tensors_that_lie_in_the_slot_where_they_are) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  BatchWriter writer(cursor);
  const Tensor first = writer.zeros({16}, DType::f32);
  const Tensor second = writer.zeros({4, 16}, DType::f32);
  second.data<float>()[16] = 3;
  const std::uint64_t used = cursor.payload_used();

  detail::pack(cursor, std::vector<Tensor>{second, second.row(1), first});
  const auto back = read_batch<std::vector<Tensor>>(slot.raw(cursor));

  EXPECT_EQ(cursor.payload_used(), used);
  EXPECT_EQ(back[0].bytes().data(), second.bytes().data());
  EXPECT_EQ(back[1].data<float>()[0], 3);
  EXPECT_EQ(back[2].bytes().data(), first.bytes().data());
}

TEST(Pack, copies_a_tensor_that_lies_in_the_slot_but_not_aligned) {
  FakeSlot slot;
  SlotCursor cursor(slot.memory());
  BatchWriter writer(cursor);
  const Tensor pairs = writer.zeros({4, 2}, DType::i32);
  pairs.data<std::int32_t>()[2] = 5;

  detail::pack(cursor, pairs.row(1));
  const auto back = read_batch<Tensor>(slot.raw(cursor));

  EXPECT_EQ(values<std::int32_t>(back), (std::vector<std::int32_t>{5, 0}));
  EXPECT_NE(back.bytes().data(), pairs.row(1).bytes().data());
}

TEST(Pack, shares_one_owner_among_all_tensors_of_a_batch) {
  std::optional<Tensor> kept;
  std::weak_ptr<const void> watch;
  {
    FakeSlot slot;
    SlotCursor cursor(slot.memory());
    detail::pack(cursor, std::vector<Tensor>{Tensor::full({2}, 1), Tensor::full({2}, 2)});
    const auto back = read_batch<std::vector<Tensor>>(slot.raw(cursor));
    EXPECT_EQ(back[0].owner(), back[1].owner());
    kept = back[1];
    watch = back[0].owner();
  }
  EXPECT_EQ(values<int>(*kept), (std::vector<int>{2, 2}));

  kept.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(Pack, says_when_texts_do_not_fit) {
  FakeSlot slot(64, 64);
  SlotCursor cursor(slot.memory());

  EXPECT_THROW(detail::pack(cursor, std::string(57, 'x')), ResourceError);
  cursor.rewind();
  detail::pack(cursor, std::string(56, 'x'));
  EXPECT_EQ(read_batch<std::string>(slot.raw(cursor)), std::string(56, 'x'));
}

}  // namespace
}  // namespace forklift
