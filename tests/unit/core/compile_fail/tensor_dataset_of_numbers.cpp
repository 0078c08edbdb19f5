// SPDX-License-Identifier: MIT
// expects: a TensorDataset is made of forklift::Tensor
#include <vector>

#include <forklift/forklift.hpp>

int main() {
  const forklift::TensorDataset dataset(std::vector<float>{1, 2});
}
