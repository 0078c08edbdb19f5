// SPDX-License-Identifier: MIT
// expects: this is not a map-style dataset
#include <cstddef>
#include <optional>

#include <forklift/forklift.hpp>

struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static float get(std::size_t /*index*/) { return 1; }
};
struct Stream {
  struct Cursor {
    std::optional<int> next() { return std::nullopt; }
  };
  [[nodiscard]] static Cursor iterate(const forklift::WorkerInfo& /*info*/) { return {}; }
};

int main() {
  const forklift::ConcatDataset both(Samples{}, Stream{});
}
