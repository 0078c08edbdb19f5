// SPDX-License-Identifier: MIT
// One sample in ten is of class 1; weights make both classes come equally often.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <vector>

#include <forklift/forklift.hpp>

namespace {

class Labelled {
 public:
  static std::size_t size() { return 5000; }
  static std::int64_t get(std::size_t index) { return label(index); }
  static std::int64_t label(std::size_t index) { return index % 10 == 0 ? 1 : 0; }
};

}  // namespace

int main() {
  try {
    // [readme:weighted]
    std::vector<double> of_class(2);  // samples of each class
    for (std::size_t i = 0; i < Labelled::size(); ++i) {
      ++of_class[static_cast<std::size_t>(Labelled::label(i))];
    }
    std::vector<double> weights(Labelled::size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = 1 / of_class[static_cast<std::size_t>(Labelled::label(i))];
    }
    forklift::WeightedRandomSampler sampler(
        weights, Labelled::size(), {.generator = forklift::Generator(3)});
    forklift::DataLoader loader(Labelled{},
                                {.batch_size = 50, .sampler = sampler, .num_workers = 2});
    // [/readme:weighted]
    std::int64_t rare = 0;
    for (auto& labels : loader) {
      for (const std::int64_t label : labels.data<std::int64_t>()) {
        rare += label;
      }
    }
    std::cout << rare << " of " << Labelled::size() << " samples were of the rare class\n";
    return rare > 2300 && rare < 2700 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "weighted: " << error.what() << '\n';
    return 1;
  }
}
