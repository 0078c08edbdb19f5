// SPDX-License-Identifier: MIT
// expects: a C array as a member cannot travel
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <forklift/forklift.hpp>

struct Sample {
  int id;
  float values[3];
};
struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static Sample get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
