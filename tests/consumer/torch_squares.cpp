// SPDX-License-Identifier: MIT
// The same for the libtorch adapter: torch tensors in, torch tensors out.
#include <cstddef>
#include <cstdint>
#include <iostream>

#include <ATen/ATen.h>

#include <forklift/torch.hpp>

struct Sample {
  at::Tensor squares;
  std::int64_t number;
};

class Squares {
 public:
  std::size_t size() const { return 7; }
  Sample get(std::size_t index) const {
    const auto number = static_cast<std::int64_t>(index);
    return {at::full({2}, static_cast<double>(number * number)), number};
  }
};

int main() {
  forklift::DataLoader loader(Squares{}, {.batch_size = 7, .num_workers = 2});
  for (auto& [squares, numbers] : loader) {
    const bool is_right = at::equal(squares.select(1, 1), (numbers * numbers).to(at::kFloat));
    std::cout << squares.sizes() << (is_right ? " right" : " wrong") << '\n';
    return is_right ? 0 : 1;
  }
  return 1;
}
