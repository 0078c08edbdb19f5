// SPDX-License-Identifier: MIT
// expects: collate_fn must be callable as
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
      Samples{}, {.batch_size = 2}, [](const std::map<int, int>& samples) { return samples; });
}
