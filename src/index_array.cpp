// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include <forklift/detail/index_array.hpp>
#include <forklift/detail/random_swaps.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {
namespace {

// Up to here all swaps are made at once. Otherwise the words are passed over first and made once
// more, which costs a whole pass 2 ns an index.
constexpr std::size_t kAtOnce = std::size_t{1} << 20U;
// Swaps made at least at a time.
constexpr std::size_t kFewestSwaps = 256;

}  // namespace

void IndexArray::permute(Generator& generator, std::size_t size) {
  num_final_ = SIZE_MAX;
  if (size > kNarrowLimit) {
    wide_.resize(size);
    generator.randperm(std::span(wide_));
    return;
  }
  narrow_.resize(size);
  if (size <= kAtOnce || size >= kWideRandperm) {
    generator.randperm(std::span(narrow_));
    return;
  }
  std::iota(narrow_.begin(), narrow_.end(), std::uint32_t{0});
  engine_ = engine_of(generator);
  generator.skip_randperm(size);
  num_final_ = 0;
}

void IndexArray::make_final(std::size_t at) noexcept {
  const std::size_t num_swaps = narrow_.size() - 1;
  const std::size_t end = std::min(num_swaps, std::max(at + 1, num_final_ + kFewestSwaps));
  make_swaps(engine_, narrow_, num_final_, end);
  num_final_ = end == num_swaps ? SIZE_MAX : end;
}

}  // namespace forklift::detail
