// SPDX-License-Identifier: MIT
// expects: collate_fn must return the loader's batch type
#include <cstddef>
#include <cstdint>
#include <vector>

#include <forklift/forklift.hpp>

struct Samples {
  std::size_t size() const { return 1; }
  int get(std::size_t) const { return 1; }
};
struct Named {
  double value;
};
struct Returned {
  std::int64_t value;
};
struct Collate {
  Returned operator()(std::vector<int>) const { return {1}; }
};

int main() {
  forklift::DataLoader<Samples, Named, Collate> loader(Samples{}, {}, Collate{});
}
