// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift::test_support {

/// The plainest dataset, but that sample `bad` runs `act` first.
inline Numbers with_bad_sample(std::size_t size, std::size_t bad, std::function<void()> act) {
  return {size, [bad, act = std::move(act)](std::size_t index) {
            if (index == bad) {
              act();
            }
            return identity(index);
          }};
}

/// The WorkerDied that ends a pass; a failure of the test when none comes.
inline WorkerDied expect_death(DataLoader<Numbers>& loader) {
  try {
    static_cast<void>(take_all(loader));
  } catch (const WorkerDied& error) {
    return error;
  }
  ADD_FAILURE() << "no WorkerDied";
  return WorkerDied({});
}

}  // namespace forklift::test_support
