// SPDX-License-Identifier: MIT
// expects: an aggregate with a base class cannot travel
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <forklift/forklift.hpp>

struct Base {
  int id;
};
struct Sample : Base {
  float value;
};
struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static Sample get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
