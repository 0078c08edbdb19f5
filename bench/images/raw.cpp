// SPDX-License-Identifier: MIT
#include <cstring>
#include <numeric>

#include "images/dataset.hpp"
#include "images/rivals.hpp"
#include "throughput/raw_contender.hpp"

namespace bench {

Contender images_raw(std::span<std::uint8_t> store) {
  RawWorkload workload;
  workload.value_bytes_per_sample = kImageBytes;
  workload.fill = [dataset = StoredImages(store, 0)](
                      std::byte* values, std::span<std::int64_t> labels, std::size_t first) {
    for (std::size_t row = 0; row < labels.size(); ++row) {
      const StoredImage sample = dataset.get(first + row);
      std::memcpy(values + row * kImageBytes, sample.image.bytes().data(), kImageBytes);
      labels[row] = sample.label;
    }
  };
  workload.sum = [](const std::byte* values, std::size_t rows) {
    return std::accumulate(
        values, values + rows * kImageBytes, 0.0, [](double sum, std::byte value) {
          return sum + static_cast<double>(std::to_integer<unsigned>(value));
        });
  };
  return make_raw(std::move(workload));
}

}  // namespace bench
