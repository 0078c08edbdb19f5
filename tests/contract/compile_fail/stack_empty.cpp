// SPDX-License-Identifier: MIT
// expects: At least one dataset should be passed
#include <forklift/forklift.hpp>

int main() {
  const forklift::StackDataset nothing;
}
