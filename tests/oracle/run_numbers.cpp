// SPDX-License-Identifier: MIT
// Numbers whose getter may throw, and a collate_fn.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "oracle/drive.hpp"
#include "oracle/numbers.hpp"
#include "oracle/runs.hpp"

#include <forklift/tensor.hpp>

namespace oracle {
namespace {

template <class D>
nlohmann::json run_failing(const Combination& c) {
  return drive_dataset(c, [&](const Seeded& /*seeded*/, const auto& /*warn*/) {
    return D(static_cast<std::size_t>(c.size), [failing = fails(c)](std::size_t index) {
      return check(static_cast<std::int64_t>(index), failing);
    });
  });
}

using Summed = std::tuple<forklift::Tensor, std::vector<std::string>>;

Summed sum_up(const std::vector<std::int64_t>& samples) {
  const auto sum = std::accumulate(samples.begin(), samples.end(), std::int64_t{0});
  return {forklift::Tensor::full<std::int64_t>({}, sum),
          {std::to_string(samples.size()) + " samples"}};
}

nlohmann::json run_collated(const Combination& c) {
  return drive(c, [&](const Seeded& seeded, const auto& warn) {
    return forklift::DataLoader(numbers(c.size), options_of(c, seeded, warn), sum_up);
  });
}

}  // namespace

Runs number_runs() {
  return {{"plain", run_failing<Numbers>}, {"bulk", run_failing<Bulk>}, {"collated", run_collated}};
}

}  // namespace oracle
