// SPDX-License-Identifier: MIT
// expects: a TensorDataset needs at least one tensor
#include <forklift/forklift.hpp>

int main() {
  const forklift::TensorDataset nothing;
}
