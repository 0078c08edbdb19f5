// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include "support/process_guard.hpp"

namespace forklift::test_support {

/// Fixture of tests that must leave nothing behind once their local objects are gone.
class LeavesNothing : public ::testing::Test {
 protected:
  void TearDown() override { guard_.expect_clean(); }

 private:
  ProcessGuard guard_;
};

}  // namespace forklift::test_support
