// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace forklift::test_support {

/// What is left of a pass.
template <class Cursor>
std::vector<std::size_t> rest_of_pass(Cursor& cursor) {
  std::vector<std::size_t> indices;
  while (const auto index = cursor.next()) {
    indices.push_back(*index);
  }
  return indices;
}

/// Every index of one pass over a sampler of the library.
template <class Sampler>
std::vector<std::size_t> one_pass(Sampler&& sampler) {
  auto cursor = sampler.iterate();
  return rest_of_pass(cursor);
}

}  // namespace forklift::test_support
