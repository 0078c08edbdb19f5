// SPDX-License-Identifier: MIT
// Datasets made of datasets.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/drive.hpp"
#include "oracle/numbers.hpp"
#include "oracle/runs.hpp"

#include <forklift/forklift.hpp>

namespace oracle {
namespace {

using forklift::Tensor;

/// A run whose dataset needs nothing but the size of the combination.
template <auto make>
nlohmann::json run(const Combination& c) {
  return drive_dataset(
      c, [&](const Seeded& /*seeded*/, const auto& /*warn*/) { return make(c.size); });
}

Tensor count_to(std::int64_t size) {
  Tensor tensor = Tensor::empty({size}, forklift::DType::i64);
  std::int64_t next = 0;
  for (std::int64_t& value : tensor.data<std::int64_t>()) {
    value = next++;
  }
  return tensor;
}

auto tensors(std::int64_t size) {
  Tensor rows = Tensor::empty({size, 2});
  const auto elements = rows.data<float>();
  for (std::size_t index = 0; index < elements.size(); ++index) {
    const auto number = static_cast<float>(index / 2);
    elements[index] = index % 2 == 0 ? number : -number;
  }
  return forklift::TensorDataset(std::move(rows), count_to(size));
}

auto bad_tensors(std::int64_t size) {
  return forklift::TensorDataset(count_to(size), count_to(size + 1));
}

auto stack(std::int64_t size) {
  return forklift::StackDataset(numbers(size), numbers<Bulk>(size, 100));
}

auto bad_stack(std::int64_t size) {
  return forklift::StackDataset(numbers(size), numbers(size + 1));
}

auto concat(std::int64_t size) {
  return forklift::ConcatDataset(numbers(size / 3), numbers(size - size / 3, 100));
}

auto no_concat(std::int64_t /*size*/) {
  return forklift::ConcatDataset(std::vector<Numbers>());
}

std::vector<std::int64_t> backwards(std::int64_t size) {
  std::vector<std::int64_t> indices;
  for (std::int64_t index = size - 1; index >= 0; index -= 2) {
    indices.push_back(index);
  }
  return indices;
}

auto subset(std::int64_t size) {
  return forklift::Subset(numbers(size), backwards(size));
}

auto bulk_subset(std::int64_t size) {
  std::vector<std::int64_t> indices;
  for (std::int64_t index = 0; index < size; index += 3) {
    indices.push_back(index);
  }
  return forklift::Subset(numbers<Bulk>(size), indices);
}

auto bad_subset(std::int64_t size) {
  return forklift::Subset(numbers(size), std::vector{std::int64_t{0}, size});
}

/// The part `part` of a split whose lengths follow from the size.
template <std::size_t part, auto lengths_of>
nlohmann::json run_split(const Combination& c) {
  return drive_dataset(c, [&](const Seeded& seeded, const auto& warn) {
    return forklift::random_split(numbers(c.size), lengths_of(c.size), seeded.split, warn).at(part);
  });
}

std::vector<double> fractions(std::int64_t /*size*/) {
  return {0.7, 0.3};
}
std::vector<double> bad_fractions(std::int64_t /*size*/) {
  return {1.5, -0.5};
}
std::vector<std::int64_t> lengths(std::int64_t size) {
  return {size / 3, size - size / 3};
}
std::vector<std::int64_t> bad_lengths(std::int64_t size) {
  return {size / 3, size + 2};
}

}  // namespace

Runs composition_runs() {
  return {{"tensors", run<tensors>},
          {"bad_tensors", run<bad_tensors>},
          {"stack", run<stack>},
          {"bad_stack", run<bad_stack>},
          {"concat", run<concat>},
          {"no_concat", run<no_concat>},
          {"subset", run<subset>},
          {"bulk_subset", run<bulk_subset>},
          {"bad_subset", run<bad_subset>},
          {"split", run_split<0, fractions>},
          {"split_lengths", run_split<1, lengths>},
          {"bad_split", run_split<1, bad_lengths>},
          {"bad_fractions", run_split<1, bad_fractions>}};
}

}  // namespace oracle
