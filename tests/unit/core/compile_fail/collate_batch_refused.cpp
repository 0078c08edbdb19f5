// SPDX-License-Identifier: MIT
// expects: this type cannot travel from a worker to the trainer
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <forklift/forklift.hpp>

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static int get(std::size_t /*index*/) { return 1; }
};

int main() {
  forklift::DataLoader loader(
      Samples{}, {.batch_size = 2}, [](const std::vector<int>& samples) { return samples.data(); });
}
