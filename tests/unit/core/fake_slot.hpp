// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <forklift/collated.hpp>
#include <forklift/detail/batch_reader.hpp>
#include <forklift/detail/collate_default.hpp>
#include <forklift/detail/memory_block.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/detail/unpack.hpp>

namespace forklift::test {

/// A slot on the heap. Its bytes are 0xA5 at first, so that what nobody wrote is not zero by
/// chance.
class FakeSlot {
 public:
  explicit FakeSlot(std::size_t meta_bytes = 4096, std::size_t payload_bytes = 65536)
      : meta_(meta_bytes, std::byte{0xA5}),
        block_(detail::allocate_block(payload_bytes)),
        payload_(block_.memory, payload_bytes) {
    std::ranges::fill(payload_, std::byte{0xA5});
  }

  [[nodiscard]] detail::SlotMemory memory(std::uint64_t budget = UINT64_MAX) {
    return {.meta = meta_, .payload = payload_, .budget = budget};
  }
  [[nodiscard]] std::span<std::byte> payload() const { return payload_; }
  [[nodiscard]] std::span<std::byte> meta() { return meta_; }

  /// What `cursor` wrote here, as the engine hands it over.
  [[nodiscard]] detail::RawBatch raw(const detail::SlotCursor& cursor) const {
    return {.meta = std::span(meta_).first(static_cast<std::size_t>(cursor.meta_used())),
            .payload = payload_.first(static_cast<std::size_t>(cursor.payload_used())),
            .owner = block_.owner};
  }

 private:
  std::vector<std::byte> meta_;
  detail::MemoryBlock block_;
  std::span<std::byte> payload_;
};

/// The batch in `raw`; fails as the loader does when bytes are left.
template <class Batch>
Batch read_batch(detail::RawBatch raw) {
  detail::BatchReader reader(std::move(raw));
  Batch batch = detail::unpack<Batch>(reader);
  reader.expect_end();
  return batch;
}

/// Collates `samples`, a vector, const or not, through `slot`. Sample i has the dataset index
/// 10 * (i + 1).
template <class Batch, class Samples>
Batch collate_list(FakeSlot& slot, Samples& samples) {
  std::vector<std::uint64_t> indices;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    indices.push_back(10 * (i + 1));
  }
  detail::SlotCursor cursor(slot.memory());
  detail::CollateContext context{cursor, samples.size(), indices};
  detail::Column<typename Samples::value_type> column;
  const detail::FieldPath root;
  column.start(context, samples.front(), root);
  for (std::size_t row = 0; row < samples.size(); ++row) {
    column.put(context, row, samples[row], root);
  }
  column.pack(cursor);
  return read_batch<Batch>(slot.raw(cursor));
}

template <class Batch, class Sample>
Batch collate_as(FakeSlot& slot, const std::vector<Sample>& samples) {
  return collate_list<Batch>(slot, samples);
}

template <class Sample>
Collated<Sample> collate(const std::vector<Sample>& samples) {
  FakeSlot slot;
  return collate_as<Collated<Sample>>(slot, samples);
}

/// The elements of a tensor as a vector.
template <class T>
std::vector<T> values(const Tensor& tensor) {
  const auto elements = tensor.data<T>();
  return {elements.begin(), elements.end()};
}

}  // namespace forklift::test
