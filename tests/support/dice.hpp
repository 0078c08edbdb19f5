// SPDX-License-Identifier: MIT
#pragma once

#include <random>

namespace forklift::test_support {

/// The same rolls in each run, and others for each part of a test.
class Dice {
 public:
  explicit Dice(int part = 0) : engine_(20261130 + static_cast<unsigned>(part)) {}
  int below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }

 private:
  std::mt19937 engine_;
};

}  // namespace forklift::test_support
