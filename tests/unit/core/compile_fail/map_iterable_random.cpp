// SPDX-License-Identifier: MIT
// expects: a stream has no index to key random numbers by
#include <optional>

#include <forklift/forklift.hpp>

struct Stream {
  struct Cursor {
    std::optional<int> next() { return std::nullopt; }
  };
  [[nodiscard]] static Cursor iterate(const forklift::WorkerInfo& /*info*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(forklift::map(
      Stream{}, [](int value, forklift::SampleRng& rng) { return value + rng.below(3); }));
}
