// SPDX-License-Identifier: MIT
// expects: this is not a map-style dataset
#include <cstddef>

#include <forklift/forklift.hpp>

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static int get(std::size_t /*index*/) { return 1; }
};

int main() {
  const Samples samples;
  const auto parts = forklift::random_split(&samples, {1, 3});
}
