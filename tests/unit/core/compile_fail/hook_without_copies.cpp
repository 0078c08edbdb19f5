// SPDX-License-Identifier: MIT
// expects: values for forklift_collate() must be copyable when get() returns a reference
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <forklift/forklift.hpp>

namespace mine {
struct Box {
  std::unique_ptr<int> corner;
};
forklift::Tensor forklift_collate(std::span<const Box> boxes);
inline const Box kBox;
}  // namespace mine

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static const mine::Box& get(std::size_t /*index*/) { return mine::kBox; }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
