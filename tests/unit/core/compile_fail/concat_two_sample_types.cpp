// SPDX-License-Identifier: MIT
// expects: the datasets of a ConcatDataset must have one sample type
#include <cstddef>

#include <forklift/forklift.hpp>

struct Ints {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static int get(std::size_t /*index*/) { return 1; }
};
struct Floats {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static float get(std::size_t /*index*/) { return 1; }
};

int main() {
  const forklift::ConcatDataset both(Ints{}, Floats{});
}
