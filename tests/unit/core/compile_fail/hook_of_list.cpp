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
class Box {
 public:
  explicit Box(int corner) : corner_(corner) {}

 private:
  [[maybe_unused]] int corner_;
};
forklift::Tensor forklift_collate(std::vector<Box> boxes, forklift::BatchWriter& slot);
}  // namespace mine

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static mine::Box get(std::size_t /*index*/) { return mine::Box(1); }
};

int main() {
  forklift::DataLoader loader(Samples{});
}
