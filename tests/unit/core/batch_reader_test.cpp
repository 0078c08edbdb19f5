// SPDX-License-Identifier: MIT
// What a worker that wrote over foreign memory may leave: only a DataError may come of it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fake_slot.hpp"

#include <forklift/detail/batch_reader.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/error.hpp>
#include <forklift/tensor.hpp>

namespace forklift {
namespace {

using detail::BatchReader;
using test::read_batch;

/// Meta bytes made by hand over a payload of 256 bytes.
class Bytes {
 public:
  template <class T>
  Bytes& put(T value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    meta_.insert(meta_.end(), first, first + sizeof(T));
    return *this;
  }
  Bytes& tensor(std::uint8_t dtype, const std::vector<std::int64_t>& sizes, std::uint64_t offset) {
    put(dtype).put(static_cast<std::uint8_t>(sizes.size())).put(offset);
    for (const std::int64_t size : sizes) {
      put(size);
    }
    return *this;
  }
  [[nodiscard]] detail::RawBatch raw() { return {.meta = meta_, .payload = payload_, .owner = {}}; }

 private:
  std::vector<std::byte> meta_;
  alignas(64) std::array<std::byte, 256> payload_{};
};

constexpr auto kF32 = static_cast<std::uint8_t>(DType::f32);
constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;

TEST(BatchReader, reads_a_tensor_up_to_the_last_byte_of_the_payload) {
  Bytes bytes;
  const auto tensor = read_batch<Tensor>(bytes.tensor(kF32, {3, 16}, 64).raw());

  EXPECT_EQ(tensor.shape(), Shape({3, 16}));
  EXPECT_EQ(tensor.bytes().data(), bytes.raw().payload.data() + 64);
}

TEST(BatchReader, refuses_tensors_that_leave_the_payload) {
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {49}, 64).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {1}, 256).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {0}, 320).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {1}, UINT64_MAX - 63).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {INT64_MAX}, 64).raw()), DataError);
  EXPECT_EQ(read_batch<Tensor>(Bytes().tensor(kF32, {0}, 256).raw()).numel(), 0);
}

TEST(BatchReader, refuses_tensors_that_are_not_aligned) {
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {1}, 4).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {1}, 65).raw()), DataError);
}

TEST(BatchReader, refuses_sizes_that_no_tensor_has) {
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {-1}, 0).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {INT64_MIN, 2}, 0).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {INT64_MAX, 3}, 0).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, {0, INT64_MAX, 3}, 0).raw()), DataError);
}

TEST(BatchReader, refuses_a_dtype_or_a_number_of_dimensions_that_does_not_exist) {
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kDTypeCount, {1}, 0).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(255, {1}, 0).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, std::vector<std::int64_t>(17, 1), 0).raw()),
               DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().tensor(kF32, std::vector<std::int64_t>(255, 1), 0).raw()),
               DataError);
}

TEST(BatchReader, refuses_counts_that_the_bytes_cannot_hold) {
  using Record = std::tuple<int, std::string>;
  EXPECT_THROW(read_batch<std::string>(Bytes().put(kHuge).raw()), DataError);
  EXPECT_THROW(read_batch<std::string>(Bytes().put(std::uint64_t{1}).raw()), DataError);
  EXPECT_THROW(read_batch<std::vector<std::string>>(Bytes().put(UINT64_MAX).raw()), DataError);
  EXPECT_THROW(read_batch<std::vector<double>>(Bytes().put(kHuge).raw()), DataError);
  EXPECT_THROW(read_batch<std::vector<Tensor>>(Bytes().put(kHuge).raw()), DataError);
  EXPECT_THROW(read_batch<std::vector<Record>>(Bytes().put(kHuge).raw()), DataError);
  EXPECT_THROW((read_batch<std::map<int, int>>(Bytes().put(kHuge).raw())), DataError);
}

TEST(BatchReader, bounds_the_number_of_records_by_their_bytes) {
  using Record = std::tuple<std::int64_t, std::string>;
  Bytes bytes;
  bytes.put(std::uint64_t{5});
  for (int i = 0; i < 64; ++i) {  // four records of 16 bytes
    bytes.put(std::uint8_t{0});
  }
  EXPECT_THROW(read_batch<std::vector<Record>>(bytes.raw()), DataError);
}

TEST(BatchReader, refuses_an_array_of_another_length) {
  // All bytes are there and none is left: only the count is wrong.
  for (const std::uint64_t count : {0U, 1U, 3U}) {
    Bytes bytes;
    bytes.put(count).put(1).put(2);
    EXPECT_THROW((read_batch<std::array<int, 2>>(bytes.raw())), DataError) << count;
  }
  Bytes bytes;
  bytes.put(std::uint64_t{2}).put(1).put(2);
  EXPECT_EQ((read_batch<std::array<int, 2>>(bytes.raw())), (std::array<int, 2>{1, 2}));
}

TEST(BatchReader, takes_any_byte_as_a_bool) {
  EXPECT_TRUE(read_batch<bool>(Bytes().put(std::uint8_t{2}).raw()));
  EXPECT_FALSE(read_batch<bool>(Bytes().put(std::uint8_t{0}).raw()));
}

TEST(BatchReader, refuses_bytes_that_are_left_or_missing) {
  EXPECT_THROW(read_batch<std::int32_t>(Bytes().put(std::int64_t{1}).raw()), DataError);
  EXPECT_THROW(read_batch<std::int64_t>(Bytes().put(std::int32_t{1}).raw()), DataError);
  EXPECT_THROW(read_batch<Tensor>(Bytes().raw()), DataError);
}

TEST(BatchReader, names_a_worker_as_the_cause) {
  try {
    static_cast<void>(read_batch<std::string>(Bytes().put(kHuge).raw()));
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(error.file(), "slot of the ring");
    EXPECT_EQ(error.offset(), 8U);
    EXPECT_NE(std::string(error.what()).find("a worker wrote over memory"), std::string::npos);
  }
}

TEST(BatchReader, survives_random_changes_of_a_batch) {
  using Batch = std::tuple<Tensor,
                           std::vector<std::string>,
                           std::map<std::string, Tensor>,
                           std::optional<std::vector<std::pair<Tensor, bool>>>,
                           std::array<Tensor, 2>>;
  constexpr std::uint32_t kSeed = 77;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  test::FakeSlot slot;
  detail::SlotCursor cursor(slot.memory());
  const Tensor tensor = Tensor::full({3, 5}, 1.0F);
  detail::pack(cursor,
               Batch{tensor, {"a", "bc"}, {{"k", tensor}}, {{{tensor, true}}}, {tensor, tensor}});
  const auto good = slot.raw(cursor);
  std::vector<std::byte> meta(good.meta.begin(), good.meta.end());
  int num_read = 0;
  int num_refused = 0;

  for (int round = 0; round < 20'000; ++round) {
    std::ranges::copy(good.meta, meta.begin());
    for (std::uint32_t changes = random() % 4 + 1; changes > 0; --changes) {
      meta[random() % meta.size()] = static_cast<std::byte>(random() % 4 == 0 ? 0xFF : random());
    }
    try {
      const auto batch = read_batch<Batch>({.meta = meta, .payload = good.payload, .owner = {}});
      // Every byte that the batch shows lies in the payload.
      const auto bytes = std::get<0>(batch).bytes();
      ASSERT_GE(bytes.data(), good.payload.data());
      ASSERT_LE(bytes.data() + bytes.size(), good.payload.data() + good.payload.size());
      ++num_read;
    } catch (const DataError&) {
      ++num_refused;
    }
  }

  EXPECT_GT(num_read, 0);
  EXPECT_GT(num_refused, 0);
}

}  // namespace
}  // namespace forklift
