// SPDX-License-Identifier: MIT
// expects: this is not a map-style dataset
#include <cstddef>

#include <forklift/forklift.hpp>

struct Samples {
  [[nodiscard]] static int get(std::size_t /*index*/) { return 1; }
};

int main() {
  forklift::DataLoader loader(forklift::Subset(Samples{}, {1, 2}));
}
