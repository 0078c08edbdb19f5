// SPDX-License-Identifier: MIT
// expects: forklift_collate() of this type T must be callable as (std::span<const T>)
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
struct Other {};
forklift::Tensor forklift_collate(std::span<const Other> others);
forklift::Tensor forklift_collate(const Box& box);
}  // namespace mine

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static mine::Box get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
