// SPDX-License-Identifier: MIT
// expects: the transform of map() must be callable with a sample of the dataset
#include <optional>
#include <string>

#include <forklift/forklift.hpp>

struct Stream {
  struct Cursor {
    std::optional<int> next() { return std::nullopt; }
  };
  [[nodiscard]] static Cursor iterate(const forklift::WorkerInfo& /*info*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(
      forklift::map(Stream{}, [](const std::string& text) { return text.size(); }));
}
