// SPDX-License-Identifier: MIT
// A sample without batches, as the sample's own type where that is asked for. Semantics 5.3.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/described.hpp"
#include "support/golden_rows.hpp"
#include "support/made_dataset.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using test_support::Made;
using Int = std::int64_t;

// A tensor whose elements were not written down with it has them from the outcome.
json sample_of(const json& entry) {
  json sample = entry.at("sample");
  if (sample.contains("shape") && !sample.contains("values")) {
    sample["values"] = entry.at("out").at("values");
  }
  return sample;
}

// The recorded outcome, for each way to load.
template <class Sample, class Batch>
void converts(const json& entry) {
  const Sample sample = test::made<Sample>(sample_of(entry));
  for (const auto& [num_workers, kind] :
       {std::pair{0, WorkerKind::process}, {1, WorkerKind::process}, {1, WorkerKind::thread}}) {
    DataLoader<Made<Sample>, Batch> loader(
        Made<Sample>(1, [&sample](std::size_t) { return sample; }),
        {.batch_size = std::nullopt, .num_workers = num_workers, .worker_kind = kind});
    std::size_t batches = 0;
    for (const auto& batch : loader) {
      const json seen = test::described(batch);
      EXPECT_TRUE(test::is_as_recorded(seen, entry.at("out")))
          << seen << "\nnot " << entry.at("out");
      ++batches;
    }
    EXPECT_EQ(batches, 1U);
  }
}

// What is asked for as it is.
template <class T>
void unchanged(const json& entry) {
  converts<T, T>(entry);
}

// What becomes a tensor.
template <class T>
void to_tensor(const json& entry) {
  converts<T, Tensor>(entry);
}

// Dicts and lists with values of more than one type are aggregates and tuples.
struct TensorAndInt {
  Tensor a;
  Int b = 0;
};
struct IntAndTensor {
  Int x = 0;
  Tensor y;
};
using Nested = std::map<std::string, std::vector<std::tuple<Tensor, std::string>>>;

const test::Compared kCompared[] = {
    {"tensor", unchanged<Tensor>},
    {"int", unchanged<Int>},
    {"float", unchanged<double>},
    {"bool", unchanged<bool>},
    {"str", unchanged<std::string>},
    {"bytes", unchanged<std::vector<std::byte>>},
    {"none", unchanged<std::optional<Int>>},
    {"ndarray", unchanged<Tensor>},
    {"ndarray_int16", unchanged<Tensor>},
    {"numpy_scalar", to_tensor<float>},
    {"numpy_bool", to_tensor<bool>},
    {"tuple", unchanged<std::tuple<Int, Tensor>>},
    {"list", unchanged<std::tuple<Int, Tensor>>},
    {"dict", unchanged<TensorAndInt>},
    {"namedtuple", unchanged<IntAndTensor>},
    {"nested", unchanged<Nested>},
};

const test::LeftOut kLeftOut[] = {
    {"ndarray_string", "tensors have no elements of this type"},
    {"numpy_str", "there is one type of texts, that of the entry str"},
    {"list_subclass", "a class of Python; a batch's type follows from the sample's"},
    {"range", "a range is no value that travels"},
    {"set", "a set is refused when it is compiled"},
};

TEST(GoldenConvert, every_kind_of_sample_comes_as_in_pytorch) {
  test::compare_entries("convert_cases", kCompared, kLeftOut);
}

}  // namespace
}  // namespace forklift
