// SPDX-License-Identifier: MIT
// expects: the batch type does not fit the sample type
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <forklift/forklift.hpp>

namespace mine {
struct Box {
  int corner = 0;
};
forklift::Tensor forklift_collate(std::span<const Box> boxes);

struct Batch {
  forklift::Tensor corners;
};
}  // namespace mine

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static mine::Box get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader<Samples, mine::Batch> loader(Samples{});
}
