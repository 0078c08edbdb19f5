// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <forklift/tensor.hpp>

namespace bench {

/// A dataset of 1 MB, of which get() hands out rows of a chosen length without copying.
class Megabyte {
 public:
  static constexpr std::size_t kBytes = 1'000'000;

  /// Requires row_bytes <= kBytes.
  Megabyte(std::size_t num_samples, std::size_t row_bytes)
      : bytes_(std::make_shared<std::vector<std::byte>>(kBytes, std::byte{1})),
        num_samples_(num_samples),
        row_bytes_(row_bytes) {}
  [[nodiscard]] std::size_t size() const { return num_samples_; }
  [[nodiscard]] forklift::Tensor get(std::size_t index) const {
    const std::size_t row = index % (kBytes / row_bytes_);
    return forklift::Tensor::over(bytes_->data() + row * row_bytes_,
                                  {static_cast<std::int64_t>(row_bytes_)},
                                  forklift::DType::u8,
                                  bytes_);
  }

 private:
  std::shared_ptr<std::vector<std::byte>> bytes_;
  std::size_t num_samples_;
  std::size_t row_bytes_;
};

}  // namespace bench
