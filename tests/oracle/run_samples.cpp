// SPDX-License-Identifier: MIT
// Samples of every type that default_collate knows.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "oracle/drive.hpp"
#include "oracle/runs.hpp"
#include "support/made_dataset.hpp"

#include <forklift/generator.hpp>
#include <forklift/tensor.hpp>
#include <forklift/worker_info.hpp>

namespace oracle {
namespace {

using forklift::Tensor;
using Map = std::map<std::string, std::int64_t>;
using Record = std::tuple<std::int64_t, std::string, std::tuple<double, bool>>;

template <class T, T (*make)(std::int64_t)>
nlohmann::json run(const Combination& c) {
  return drive_dataset(c, [&](const Seeded& /*seeded*/, const auto& /*warn*/) {
    return forklift::test_support::Made<T>(static_cast<std::size_t>(c.size), [](std::size_t index) {
      return make(static_cast<std::int64_t>(index));
    });
  });
}

std::int32_t narrow(std::int64_t index) {
  return static_cast<std::int32_t>(index);
}
double third(std::int64_t index) {
  return static_cast<double>(index) / 3;
}
float narrow_third(std::int64_t index) {
  return static_cast<float>(third(index));
}
bool is_triple(std::int64_t index) {
  return index % 3 == 0;
}
std::string sentence(std::int64_t index) {
  return "sample " + std::to_string(index);
}
Tensor rows(std::int64_t index) {
  const auto number = static_cast<float>(index);
  return Tensor::of(std::vector<float>{number / 2, 0.5F, 1, 1.5F, 2, number / 2}).reshape({2, 3});
}
std::vector<double> list(std::int64_t index) {
  const auto number = static_cast<double>(index);
  return {number / 4, number / 8};
}
std::tuple<std::int64_t, double> pair(std::int64_t index) {
  return {index, static_cast<double>(index) / 7};
}
Record record(std::int64_t index) {
  return {index, "name " + std::to_string(index), {static_cast<double>(index) / 2, index % 2 == 1}};
}
std::vector<std::string> words(std::int64_t index) {
  return {"a" + std::to_string(index), "b" + std::to_string(index)};
}
Map map_of(std::int64_t index) {
  return {{"value", index}, {"twice", 2 * index}};
}
Map map_with_a_gap(std::int64_t index) {
  return index % 5 == 4 ? Map{{"value", index}} : map_of(index);
}
std::vector<std::int64_t> ragged(std::int64_t index) {
  std::vector<std::int64_t> row;
  for (std::int64_t value = 0; value <= index % 3; ++value) {
    row.push_back(value);
  }
  return row;
}
Tensor mixed(std::int64_t index) {
  return index % 4 == 3 ? Tensor::full({}, static_cast<float>(index)) : Tensor::full({}, index);
}
// What tells the workers and their seeds apart.
std::vector<std::int64_t> drawn(std::int64_t /*index*/) {
  const forklift::WorkerInfo* worker = forklift::get_worker_info();
  if (worker == nullptr) {
    return {-1, -1, -1};
  }
  return {static_cast<std::int64_t>(worker->id),
          static_cast<std::int64_t>(worker->seed),
          forklift::default_generator().randint(0, 1000)};
}

}  // namespace

Runs sample_runs() {
  return {{"narrow", run<std::int32_t, narrow>},
          {"doubles", run<double, third>},
          {"floats", run<float, narrow_third>},
          {"bools", run<bool, is_triple>},
          {"strings", run<std::string, sentence>},
          {"rows", run<Tensor, rows>},
          {"lists", run<std::vector<double>, list>},
          {"pairs", run<std::tuple<std::int64_t, double>, pair>},
          {"records", run<Record, record>},
          {"words", run<std::vector<std::string>, words>},
          {"maps", run<Map, map_of>},
          {"missing", run<Map, map_with_a_gap>},
          {"ragged", run<std::vector<std::int64_t>, ragged>},
          {"mixed", run<Tensor, mixed>},
          {"drawn", run<std::vector<std::int64_t>, drawn>}};
}

}  // namespace oracle
