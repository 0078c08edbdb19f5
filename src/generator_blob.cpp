// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <forklift/detail/generator_blob.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {
namespace {

constexpr std::size_t kWords = Mt19937::kWords;

// PyTorch's layout. Words are kept in 64 bits each, normal numbers that were drawn ahead at the
// end.
struct Blob {
  std::uint64_t seed;
  std::int32_t left;    // words until the next block, and one
  std::int32_t seeded;  // 1
  std::uint64_t next;   // words of the block that were given out
  std::uint64_t words[kWords];
  double normals[3];
  std::int32_t normal_is_valid;
  std::int32_t padding;
  float next_float_normal;
  std::uint32_t float_is_valid;
};
static_assert(sizeof(Blob) == Generator::kStateBytes);
static_assert(offsetof(Blob, words) == 24 && offsetof(Blob, normals) == 5016 &&
              offsetof(Blob, normal_is_valid) == 5040 && offsetof(Blob, next_float_normal) == 5048);

// Before the first draw PyTorch's engine stands at 0 with one word left: the next draw makes the
// first block.
bool is_fresh(std::uint64_t next, std::int32_t left) {
  return next == 0 && left == 1;
}

}  // namespace

std::vector<std::uint8_t> write_state(const SeededEngine& seeded) {
  Blob blob{};
  blob.seed = seeded.seed;
  blob.seeded = 1;
  const std::size_t position = seeded.engine.position;
  if (position == Mt19937::kFresh) {
    blob.left = 1;
    blob.next = 0;
  } else {
    blob.left = static_cast<std::int32_t>(kWords + 1 - position);
    blob.next = position;
  }
  for (std::size_t i = 0; i < kWords; ++i) {
    blob.words[i] = seeded.engine.words[i];
  }
  std::vector<std::uint8_t> state(sizeof(Blob));
  std::memcpy(state.data(), &blob, sizeof(Blob));
  return state;
}

SeededEngine read_state(std::span<const std::uint8_t> state) {
  if (state.size() != sizeof(Blob)) {
    throw InvalidOptions(fmt::format(
        "the state of a generator has {} bytes, but got {}", sizeof(Blob), state.size()));
  }
  Blob blob{};
  std::memcpy(&blob, state.data(), sizeof(Blob));
  const bool fits = blob.next <= kWords && blob.next >= 1 &&
                    blob.left == static_cast<std::int32_t>(kWords + 1 - blob.next);
  if (blob.seeded != 1 || (!fits && !is_fresh(blob.next, blob.left))) {
    throw InvalidOptions(fmt::format(
        "this is no state of a Mersenne twister: {} words of its block given out and {} left",
        blob.next,
        blob.left));
  }
  SeededEngine out;
  out.seed = blob.seed;
  out.engine.position =
      is_fresh(blob.next, blob.left) ? Mt19937::kFresh : static_cast<std::size_t>(blob.next);
  for (std::size_t i = 0; i < kWords; ++i) {
    out.engine.words[i] = static_cast<std::uint32_t>(blob.words[i]);
  }
  return out;
}

}  // namespace forklift::detail
