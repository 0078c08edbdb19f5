// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

inline constexpr std::size_t kImageBytes = 3UL * 224UL * 224UL;
inline constexpr std::size_t kStoredImages = 512;

/// 512 images of 3 x 224 x 224 bytes in one block. Byte k of image i is (31 i + 7 k + k / 256) mod
/// 251, which the Python rival computes as well.
[[nodiscard]] inline std::vector<std::uint8_t> make_images() {
  std::vector<std::uint8_t> out(kStoredImages * kImageBytes);
  for (std::size_t image = 0; image < kStoredImages; ++image) {
    for (std::size_t byte = 0; byte < kImageBytes; ++byte) {
      out[image * kImageBytes + byte] =
          static_cast<std::uint8_t>((31 * image + 7 * byte + byte / 256) % 251);
    }
  }
  return out;
}

}  // namespace bench
