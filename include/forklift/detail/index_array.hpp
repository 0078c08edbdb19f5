// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <forklift/detail/mt19937.hpp>

namespace forklift {

class Generator;

namespace detail {

/// A list of indices. Memory: 4 bytes for each, or 8 where one may need more than 32 bits. One
/// list has one size or bound for its life, or is cleared in between. A permutation of more than
/// 2^20 and less than 214,748,364 is made as far as it is asked for, since its whole would keep the
/// first index waiting. Thread: one at a time.
class IndexArray {
 public:
  [[nodiscard]] std::size_t operator[](std::size_t at) noexcept {
    if (at >= num_final_) [[unlikely]] {
      make_final(at);
    }
    return wide_.empty() ? std::size_t{narrow_[at]} : std::size_t{wide_[at]};
  }

  /// Becomes a permutation of 0..size-1, drawn as Generator::randperm draws it; `generator` has
  /// made all the draws when it returns.
  void permute(Generator& generator, std::size_t size);

  /// Becomes what `count` calls of `next` give, each an index below `bound`.
  template <class Next>
  void generate(std::size_t count, std::size_t bound, Next next) {
    num_final_ = SIZE_MAX;
    bound > kNarrowLimit ? fill(wide_, count, next) : fill(narrow_, count, next);
  }

  /// Holds nothing from now on, and no memory.
  void clear() noexcept {
    num_final_ = SIZE_MAX;
    std::vector<std::uint32_t>().swap(narrow_);
    std::vector<std::uint64_t>().swap(wide_);
  }

 private:
  static constexpr std::uint64_t kNarrowLimit = std::uint64_t{1} << 32U;

  template <class T, class Next>
  static void fill(std::vector<T>& indices, std::size_t count, Next& next) {
    indices.resize(count);
    for (T& index : indices) {
      index = static_cast<T>(next());
    }
  }

  void make_final(std::size_t at) noexcept;

  std::size_t num_final_ = SIZE_MAX;  // below it all is as it stays
  Mt19937 engine_;                    // stands at the swap of number num_final_
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint64_t> wide_;
};

}  // namespace detail
}  // namespace forklift
