// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "images/pixels.hpp"

#include <forklift/tensor.hpp>

namespace bench {

/// A decoded image where it lies in memory, and its number.
struct StoredImage {
  forklift::Tensor image;  // u8 [3, 224, 224]
  std::int64_t label;
};

/// Images that are already decoded: get() copies nothing, collation copies each once. Longer than
/// the store it starts over.
class StoredImages {
 public:
  StoredImages(std::span<std::uint8_t> store, std::size_t num_samples)
      : store_(store),
        num_samples_(num_samples) {}
  [[nodiscard]] std::size_t size() const { return num_samples_; }
  [[nodiscard]] StoredImage get(std::size_t index) const {
    std::byte* const memory =
        std::as_writable_bytes(store_).data() + index % kStoredImages * kImageBytes;
    return {forklift::Tensor::over(memory, {3, 224, 224}, forklift::DType::u8, nullptr),
            static_cast<std::int64_t>(index)};
  }

 private:
  std::span<std::uint8_t> store_;
  std::size_t num_samples_;
};

}  // namespace bench
