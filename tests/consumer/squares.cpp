// SPDX-License-Identifier: MIT
// What a user's first program needs of an installed copy: the headers, the library and two workers.
#include <cstddef>
#include <cstdint>
#include <iostream>

#include <forklift/forklift.hpp>

struct Sample {
  double square;
  std::int64_t number;
};

class Squares {
 public:
  std::size_t size() const { return 7; }
  Sample get(std::size_t index) const {
    const auto number = static_cast<std::int64_t>(index);
    return {static_cast<double>(number * number), number};
  }
};

int main() {
  forklift::DataLoader loader(Squares{}, {.batch_size = 3, .num_workers = 2});
  std::int64_t next = 0;
  for (auto& [squares, numbers] : loader) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(numbers.size(0)); ++row, ++next) {
      const auto expected = static_cast<double>(next * next);
      if (numbers.data<std::int64_t>()[row] != next || squares.data<double>()[row] != expected) {
        std::cerr << "sample " << next << " is wrong\n";
        return 1;
      }
    }
  }
  std::cout << next << " samples\n";
  return next == 7 ? 0 : 1;
}
