// SPDX-License-Identifier: MIT
#include <cstring>

#include "fashion-mnist/dataset.hpp"
#include "fashion-mnist/rivals.hpp"
#include "throughput/raw_contender.hpp"

namespace bench {

Contender fashion_mnist_raw(FashionPixels pixels) {
  RawWorkload workload;
  workload.value_bytes_per_sample = sizeof(FashionSample::image);
  workload.fill = [dataset = FashionImages(pixels, 0)](
                      std::byte* values, std::span<std::int64_t> labels, std::size_t first) {
    for (std::size_t row = 0; row < labels.size(); ++row) {
      const FashionSample sample = dataset.get(first + row);
      std::memcpy(values + row * sizeof sample.image, sample.image.data(), sizeof sample.image);
      labels[row] = sample.label;
    }
  };
  workload.sum = [](const std::byte* values, std::size_t rows) {
    double sum = 0;
    for (std::size_t at = 0; at < rows * kFashionPixels; ++at) {
      float value = 0;
      std::memcpy(&value, values + at * sizeof value, sizeof value);
      sum += static_cast<double>(value);
    }
    return sum;
  };
  return make_raw(std::move(workload));
}

}  // namespace bench
