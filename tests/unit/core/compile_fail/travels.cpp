// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <forklift/forklift.hpp>

struct Inner {
  std::string name;
  std::optional<double> weight;
};
struct Sample {
  forklift::Tensor image;
  std::array<float, 3> mean;
  std::vector<Inner> inner;
  std::map<std::string, std::pair<int, bool>> labels;
  std::tuple<std::vector<std::byte>, forklift::Half> rest;
};
struct Names : std::map<std::string, Names> {};
struct Node {
  std::vector<Node> children;
  Names names;
};
struct Nodes {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static Node get(std::size_t /*index*/) { return {}; }
};
struct Samples {
  [[nodiscard]] static std::size_t size() { return 4; }
  [[nodiscard]] static Sample get(std::size_t /*index*/) { return {}; }
};

int main() {
  forklift::DataLoader loader(Samples{});
  forklift::DataLoader collated(
      Samples{}, {.batch_size = 2}, [](const std::vector<Sample>& samples) {
        return samples.front().image;
      });
  forklift::DataLoader counted(  // what a collate_fn takes need not travel
      Nodes{},
      {.batch_size = 2},
      [](const std::vector<Node>& nodes) { return nodes.size(); });
}
