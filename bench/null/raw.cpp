// SPDX-License-Identifier: MIT
#include <cstring>

#include "null/dataset.hpp"
#include "null/rivals.hpp"
#include "throughput/raw_contender.hpp"

namespace bench {

Contender null_raw() {
  RawWorkload workload;
  workload.value_bytes_per_sample = sizeof(std::int64_t);
  workload.fill = [dataset = Numbers(0)](
                      std::byte* values, std::span<std::int64_t> labels, std::size_t first) {
    for (std::size_t row = 0; row < labels.size(); ++row) {
      labels[row] = dataset.get(first + row);
      std::memcpy(values + row * sizeof(std::int64_t), &labels[row], sizeof(std::int64_t));
    }
  };
  workload.sum = [](const std::byte* values, std::size_t rows) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      std::int64_t value = 0;
      std::memcpy(&value, values + row * sizeof value, sizeof value);
      sum += static_cast<double>(value);
    }
    return sum;
  };
  return make_raw(std::move(workload));
}

}  // namespace bench
