// SPDX-License-Identifier: MIT
// expects: an aggregate that has values of its own type in it cannot travel
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <forklift/forklift.hpp>

struct Sample;
struct Branch {
  std::map<std::string, Sample> samples;
};
struct Sample {
  int number;
  std::vector<Branch> branches;
};
struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static Sample get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
