// SPDX-License-Identifier: MIT
// expects: the datasets of a ChainDataset must have one sample type
#include <optional>

#include <forklift/forklift.hpp>

template <class Sample>
struct Stream {
  struct Cursor {
    std::optional<Sample> next() { return std::nullopt; }
  };
  [[nodiscard]] static Cursor iterate(const forklift::WorkerInfo& /*info*/) { return {}; }
};

int main() {
  forklift::ChainDataset both(Stream<int>{}, Stream<float>{});
}
