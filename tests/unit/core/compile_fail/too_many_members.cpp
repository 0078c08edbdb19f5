// SPDX-License-Identifier: MIT
// expects: an aggregate of more than 16 members cannot travel
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <forklift/forklift.hpp>

struct Sample {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static Sample get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
