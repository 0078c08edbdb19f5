// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fashion-mnist/pixels.hpp"

namespace bench {

/// A normalised image and its class.
struct FashionSample {
  std::array<float, kFashionPixels> image;
  std::int64_t label;
};

/// Fashion-MNIST as a training loop wants it: u8 to normalised float, one sample at a time. Longer
/// than the set it starts over.
class FashionImages {
 public:
  FashionImages(FashionPixels pixels, std::size_t num_samples)
      : pixels_(pixels),
        num_samples_(num_samples) {}
  [[nodiscard]] std::size_t size() const { return num_samples_; }
  [[nodiscard]] FashionSample get(std::size_t index) const {
    const std::size_t stored = index % pixels_.labels.size();
    FashionSample
        sample;  // NOLINT(cppcoreguidelines-pro-type-member-init): every element is written
    normalise(pixels_.images.subspan(stored * kFashionPixels).first<kFashionPixels>(),
              sample.image);
    sample.label = pixels_.labels[stored];
    return sample;
  }

 private:
  FashionPixels pixels_;
  std::size_t num_samples_;
};

}  // namespace bench
