// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

inline constexpr std::size_t kFashionPixels = 28UL * 28UL;

/// The training set as it is stored. The owner of the bytes outlives every loader.
struct FashionPixels {
  std::span<const std::uint8_t> images;  ///< [n, 28, 28]
  std::span<const std::uint8_t> labels;  ///< [n]
};

/// Mean and standard deviation of the training set's pixels, as torchvision's examples use them.
inline constexpr float kFashionMean = 0.2860F;
inline constexpr float kFashionDeviation = 0.3530F;

/// What ToTensor and Normalize do, in one multiplication and one addition a pixel. The same loop
/// for every C++ loader.
inline void normalise(std::span<const std::uint8_t, kFashionPixels> from,
                      std::span<float, kFashionPixels> to) {
  constexpr float kScale = 1.0F / (255.0F * kFashionDeviation);
  constexpr float kShift = kFashionMean / kFashionDeviation;
  for (std::size_t pixel = 0; pixel < kFashionPixels; ++pixel) {
    to[pixel] = static_cast<float>(from[pixel]) * kScale - kShift;
  }
}

}  // namespace bench
