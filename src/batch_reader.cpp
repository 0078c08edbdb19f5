// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <forklift/detail/batch_reader.hpp>
#include <forklift/dtype.hpp>
#include <forklift/error.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor.hpp>

namespace forklift::detail {

void BatchReader::take_bytes(void* to, std::size_t bytes) {
  if (bytes > batch_.meta.size() - position_) [[unlikely]] {
    throw_not_a_batch(fmt::format("{} more bytes", bytes));
  }
  if (bytes != 0) {  // memcpy must not see the null pointer of an empty list
    std::memcpy(to, batch_.meta.data() + position_, bytes);
  }
  position_ += bytes;
}

std::size_t BatchReader::take_count(std::size_t bytes_each) {
  const auto count = take<std::uint64_t>();
  const std::size_t most = (batch_.meta.size() - position_) / bytes_each;
  if (count > most) [[unlikely]] {
    throw_not_a_batch(fmt::format("a count of at most {}", most));
  }
  return static_cast<std::size_t>(count);
}

void BatchReader::expect_count(std::size_t count) {
  if (take<std::uint64_t>() != count) [[unlikely]] {
    throw_not_a_batch(fmt::format("a count of {}", count));
  }
}

TensorRecord BatchReader::take_tensor() {
  const auto dtype = take<std::uint8_t>();
  const auto dim = take<std::uint8_t>();
  const auto offset = take<std::uint64_t>();
  if (dtype >= kDTypeCount || dim > Shape::kMaxDims) [[unlikely]] {
    throw_not_a_batch("a dtype and a number of dimensions");
  }
  std::array<std::int64_t, Shape::kMaxDims> sizes{};
  take_bytes(sizes.data(), dim * sizeof(std::int64_t));
  TensorRecord record{.dtype = static_cast<DType>(dtype), .shape = {}, .offset = offset};
  try {
    record.shape = Shape(std::span<const std::int64_t>(sizes.data(), dim));
  } catch (const TensorError&) {
    throw_not_a_batch("sizes of a tensor");
  }
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(
          static_cast<std::uint64_t>(record.shape.numel()), item_size(record.dtype), &bytes) ||
      offset > batch_.payload.size() || bytes > batch_.payload.size() - offset ||
      offset % Tensor::kAlignment != 0) [[unlikely]] {
    throw_not_a_batch("a tensor inside the slot");
  }
  return record;
}

void BatchReader::expect_end() const {
  if (position_ != batch_.meta.size()) [[unlikely]] {
    throw_not_a_batch("the end of the batch");
  }
}

void BatchReader::throw_not_a_batch(std::string_view expected) const {
  throw DataError("slot of the ring",
                  position_,
                  std::string(expected),
                  "other bytes: a worker wrote over memory that is not its own (run the dataset "
                  "under AddressSanitizer with num_workers = 0)");
}

}  // namespace forklift::detail
