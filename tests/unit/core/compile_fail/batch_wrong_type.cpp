// SPDX-License-Identifier: MIT
// expects: the batch type does not fit the sample type
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <forklift/forklift.hpp>

struct Sample {
  int id;
  std::string name;
};
struct Named {
  forklift::Tensor ids;
  forklift::Tensor names;
};
struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static Sample get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader<Samples, Named> loader(Samples{});
}
