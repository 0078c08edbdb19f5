// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift::test_support {

/// The numbers of at most so many batches of a new pass.
template <class Loader>
Values take(Loader& loader, std::size_t batches = SIZE_MAX) {
  Values values;
  if (batches == 0) {
    return values;
  }
  for (auto& batch : loader) {
    const auto data = batch.template data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
    if (--batches == 0) {
      break;
    }
  }
  return values;
}

/// One behind the other.
inline Values joined(Values left, const Values& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// The words with which `loader` refuses `state`, and that it stays where it is.
template <class Loader>
std::string refusal(Loader& loader, const StateDict& state) {
  const StateDict before = loader.state_dict();
  std::string message = message_of<StateError>([&] { loader.load_state_dict(state); });
  EXPECT_EQ(loader.state_dict(), before);
  return message;
}

}  // namespace forklift::test_support
