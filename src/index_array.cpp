// SPDX-License-Identifier: MIT
#include <cstddef>
#include <span>

#include <forklift/detail/index_array.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {

void IndexArray::permute(Generator& generator, std::size_t size) {
  if (size > kNarrowLimit) {
    wide_.resize(size);
    generator.randperm(std::span(wide_));
  } else {
    narrow_.resize(size);
    generator.randperm(std::span(narrow_));
  }
}

}  // namespace forklift::detail
