// SPDX-License-Identifier: MIT
// Pads token rows of unequal length, in the two ways that a collate_fn can be written: by returning
// a batch, and by making its tensors in the slot that the batch travels in.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <forklift/forklift.hpp>

namespace {

using Tokens = std::vector<std::int64_t>;

// Row i is 1, 2, ..., i % 7 + 1.
class Sentences {
 public:
  static std::size_t size() { return 1000; }
  static Tokens get(std::size_t index) {
    Tokens row(index % 7 + 1);
    std::int64_t token = 0;
    std::ranges::generate(row, [&] { return ++token; });
    return row;
  }
};

// [readme:collate]
struct Padded {
  forklift::Tensor tokens;   // int64 [rows, longest row], 0 behind the end of a row
  forklift::Tensor lengths;  // int64 [rows]
};

// `zeros` makes the int64 tensors of the batch: on the heap, or in its slot.
Padded pad(const std::vector<Tokens>& rows, auto zeros) {
  std::size_t longest = 0;
  for (const Tokens& row : rows) {
    longest = std::max(longest, row.size());
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  Padded batch{zeros({count, static_cast<std::int64_t>(longest)}), zeros({count})};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto line = batch.tokens.data<std::int64_t>().subspan(row * longest, longest);
    std::ranges::copy(rows[row], line.begin());
    batch.lengths.data<std::int64_t>()[row] = static_cast<std::int64_t>(rows[row].size());
  }
  return batch;
}

// Returns a batch: Forklift copies it into the slot.
Padded pad_and_return(const std::vector<Tokens>& rows) {
  return pad(rows, [](const forklift::Shape& shape) {
    return forklift::Tensor::zeros(shape, forklift::DType::i64);
  });
}

// Writes into the slot: the tensors lie in shared memory from the start, nothing is copied.
Padded pad_in_place(const std::vector<Tokens>& rows, forklift::BatchWriter& slot) {
  return pad(rows,
             [&](const forklift::Shape& shape) { return slot.zeros(shape, forklift::DType::i64); });
}
// [/readme:collate]

std::int64_t sum(const forklift::Tensor& tensor) {
  const auto values = tensor.data<const std::int64_t>();
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

// The sum of all lengths; throws when a batch is not what it should be.
std::int64_t count_tokens(auto loader) {
  std::int64_t total = 0;
  for (const Padded& batch : loader) {
    std::int64_t wanted = 0;  // 1 + 2 + ... + length for each row
    for (const std::int64_t length : batch.lengths.template data<std::int64_t>()) {
      wanted += length * (length + 1) / 2;
    }
    if (sum(batch.tokens) != wanted) {
      throw std::logic_error("a batch does not hold the tokens of its rows");
    }
    total += sum(batch.lengths);
  }
  return total;
}

}  // namespace

int main() {
  try {
    const forklift::DataLoaderOptions options{.batch_size = 32, .num_workers = 2};
    // [readme:collate-use]
    forklift::DataLoader copied(Sentences{}, options, pad_and_return);
    forklift::DataLoader in_place(Sentences{}, options, pad_in_place);
    // [/readme:collate-use]
    const std::int64_t by_value = count_tokens(std::move(copied));
    const std::int64_t by_slot = count_tokens(std::move(in_place));
    std::cout << by_value << " tokens by value, " << by_slot << " in place\n";
    return by_value == by_slot ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "custom_collate: " << error.what() << '\n';
    return 1;
  }
}
