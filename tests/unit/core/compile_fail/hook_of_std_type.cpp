// SPDX-License-Identifier: MIT
// expects: forklift_collate() cannot change how numbers, tensors, texts, lists, optionals
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
forklift::Tensor forklift_collate(std::span<const std::optional<Box>> boxes);
}  // namespace mine

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static std::optional<mine::Box> get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
