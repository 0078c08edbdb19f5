// SPDX-License-Identifier: MIT
// expects: this is not an iterable dataset, and a ChainDataset or ShuffleBuffer takes no other
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
  forklift::DataLoader loader(forklift::ChainDataset(Stream{}, Samples{}));
}
