// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace forklift::test_support {

/// What `action` throws, as text; a failure of the test when it throws no Error.
template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

}  // namespace forklift::test_support
