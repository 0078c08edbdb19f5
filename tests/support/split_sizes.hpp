// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "support/children.hpp"

#include <forklift/generator.hpp>
#include <forklift/random_split.hpp>

namespace forklift::test_support {

/// How many samples each part has that random_split makes of `count`.
inline Indices split_sizes(std::size_t count, const SplitLengths& lengths) {
  const auto parts =
      random_split(Range{.count = count}, lengths, Generator(1), [](std::string_view) {});
  Indices sizes;
  for (const auto& part : parts) {
    sizes.push_back(part.size());
  }
  return sizes;
}

}  // namespace forklift::test_support
