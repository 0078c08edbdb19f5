// SPDX-License-Identifier: MIT
// expects: what forklift_collate() of this type returns cannot travel
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
void forklift_collate(std::span<const Box> boxes, forklift::BatchWriter& slot);
}  // namespace mine

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static mine::Box get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
