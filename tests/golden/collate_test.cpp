// SPDX-License-Identifier: MIT
// The batch of each kind of sample: structure, dtypes, shapes and values, and the words where
// samples do not fit. Semantics 5.1, 5.2 and 10.
#include <any>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "support/described.hpp"
#include "support/golden_rows.hpp"
#include "support/made_dataset.hpp"
#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using test_support::Made;
using Bytes = std::vector<std::byte>;
template <class T>
using Named = std::map<std::string, T>;
using Int = std::int64_t;

// The batch in golden.json's words, or the words of its error.
struct Outcome {
  json batch;
  std::string error;
};

// A tensor whose elements were not written down with it has them from the batch.
json sample_of(const json& entry, std::size_t index) {
  json sample = entry.at("batch").at(index);
  const json& main = entry.at("main");
  if (sample.contains("shape") && !sample.contains("values") && main.contains("values")) {
    sample["values"] = main.at("values").at(index);
  }
  return sample;
}

template <class T>
Outcome collate(const std::vector<T>& samples, int num_workers, WorkerKind kind) {
  DataLoader loader(
      Made<T>(samples.size(), [&samples](std::size_t index) { return samples[index]; }),
      {.batch_size = samples.size(), .num_workers = num_workers, .worker_kind = kind});
  try {
    for (const auto& batch : loader) {
      return {test::described(batch), {}};
    }
  } catch (const WorkerError& error) {
    return {{}, error.what()};
  }
  return {{}, "no batch"};
}

// Calls `check(outcome)` for each way to load, which all give the same: PyTorch's main process.
template <class T, class Check>
void for_each_way(const json& entry, Check&& check) {
  std::vector<T> samples;
  for (std::size_t i = 0; i < entry.at("batch").size(); ++i) {
    samples.push_back(test::made<T>(sample_of(entry, i)));
  }
  check(collate(samples, 0, WorkerKind::process));
  check(collate(samples, 1, WorkerKind::process));
  check(collate(samples, 1, WorkerKind::thread));
}

template <class T>
void expect_words(const json& entry, std::string_view words) {
  for_each_way<T>(entry, [&](const Outcome& outcome) {
    EXPECT_NE(outcome.error.find(words), std::string::npos) << outcome.error << outcome.batch;
  });
}

// The recorded batch, or an error that begins with the recorded words.
template <class T>
void same(const json& entry) {
  const json& recorded = entry.at("main");
  if (recorded.contains("error")) {
    const auto message = recorded.at("message").get<std::string>();
    expect_words<T>(entry, message.substr(0, message.find(", but got")));
    return;
  }
  for_each_way<T>(entry, [&](const Outcome& outcome) {
    EXPECT_TRUE(test::is_as_recorded(outcome.batch, recorded))
        << outcome.error << outcome.batch << "\nnot " << recorded;
  });
}

// Both shapes that do not fit are named, too.
void unequal(const json& entry) {
  same<Tensor>(entry);
  for (const json& sample : entry.at("batch")) {
    const auto sizes = sample.at("shape").get<std::vector<Int>>();
    expect_words<Tensor>(entry, Shape(sizes).text());
  }
}

// Promoted or cut in PyTorch, by who collates and what comes first.
void mixed_dtypes(const json& entry) {
  expect_words<Tensor>(entry, "stack expects each tensor to be of equal dtype");
}

// A list of numbers is a row of a matrix; its columns are the recorded tensors.
void matrix(const json& entry) {
  const json& recorded = entry.at("main");
  if (recorded.contains("error")) {
    expect_words<std::vector<Int>>(entry, "stack expects each tensor to be equal size");
    return;
  }
  for_each_way<std::vector<Int>>(entry, [&](const Outcome& outcome) {
    const json& rows = outcome.batch.at("values");
    const json& columns = recorded.at("items");
    ASSERT_EQ(outcome.batch.at("dtype"), "int64");
    ASSERT_EQ(outcome.batch.at("shape"), json({rows.size(), columns.size()}));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows[row][i], columns[i].at("values")[row]);
      }
    }
  });
}

void missing_key(const json& entry) {
  EXPECT_EQ(entry.at("main").at("message"), "'b'");
  expect_words<Named<Int>>(entry, "field [b] is in the map at dataset index 0 and not in the one");
}

// PyTorch refuses it when it collates, Forklift when it is compiled.
template <class T>
void never_compiles(const json& entry) {
  EXPECT_TRUE(entry.at("main").contains("error"));
  EXPECT_EQ(detail::kKind<T>, detail::Kind::kRefused);
}

// Of a batch sampler.
void nothing(const json& entry) {
  EXPECT_TRUE(entry.at("main").contains("error"));
  for (const int num_workers : {0, 1}) {
    DataLoader loader(
        test_support::numbers(1),
        {.batch_sampler = std::vector<std::vector<std::size_t>>{{}}, .num_workers = num_workers});
    auto batch = loader.begin();
    EXPECT_THROW(static_cast<void>(*batch), WorkerError);
  }
}

// A dict with values of more than one type, and a named tuple, are aggregates.
struct IntAndText {
  Int a = 0;
  std::string b;
};
struct Point {
  Int x = 0;
  double y = 0;
};
struct Derived : Named<Int> {};

const test::Compared kCompared[] = {
    {"tensor_0d_int64", same<Tensor>},
    {"tensor_1d_float32", same<Tensor>},
    {"tensor_2d_uint8", same<Tensor>},
    {"tensor_image_1x28x28", same<Tensor>},
    {"tensor_one_sample", same<Tensor>},
    {"tensor_zero_size", same<Tensor>},
    {"tensor_zero_size_2d", same<Tensor>},
    {"tensor_bool", same<Tensor>},
    {"tensor_int8", same<Tensor>},
    {"tensor_int16", same<Tensor>},
    {"tensor_int32", same<Tensor>},
    {"tensor_int64", same<Tensor>},
    {"tensor_float16", same<Tensor>},
    {"tensor_bfloat16", same<Tensor>},
    {"tensor_float64", same<Tensor>},
    {"tensor_noncontiguous", same<Tensor>},
    {"tensor_float32_then_int64", mixed_dtypes},
    {"tensor_int64_then_float32", mixed_dtypes},
    {"tensor_int32_then_int64", mixed_dtypes},
    {"tensor_float32_then_float64", mixed_dtypes},
    {"tensor_uint8_then_bool", mixed_dtypes},
    {"tensor_unequal_3_then_2", unequal},
    {"tensor_unequal_2_then_3", unequal},
    {"tensor_unequal_rank", unequal},
    {"tensor_unequal_third", unequal},
    {"tensor_unequal_same_numel", unequal},
    {"ndarray_int16", same<Tensor>},
    {"ndarray_float64_2d", same<Tensor>},
    {"ndarray_0d", same<Tensor>},
    {"ndarray_uint16", same<Tensor>},
    {"ndarray_unequal", unequal},
    {"ndarray_int64_then_float32", mixed_dtypes},
    {"ndarray_then_tensor", mixed_dtypes},
    {"tensor_then_ndarray", mixed_dtypes},
    {"numpy_float16_scalar", same<Half>},
    {"numpy_float32_scalar", same<float>},
    {"numpy_float64_scalar", same<double>},
    {"numpy_int8_scalar", same<std::int8_t>},
    {"numpy_int16_scalar", same<std::int16_t>},
    {"numpy_int32_scalar", same<std::int32_t>},
    {"numpy_int64_scalar", same<Int>},
    {"numpy_uint8_scalar", same<std::uint8_t>},
    {"numpy_bool__scalar", same<bool>},
    {"int", same<Int>},
    {"int_big", same<Int>},
    {"bool", same<bool>},
    {"float", same<double>},
    {"complex", never_compiles<std::complex<double>>},
    {"str", same<std::string>},
    {"bytes", same<Bytes>},
    {"none", never_compiles<std::monostate>},
    {"set", never_compiles<std::set<Int>>},
    {"object", never_compiles<std::any>},
    {"tuple_int_float", same<std::tuple<Int, double>>},
    {"tuple_tensor_int", same<std::tuple<Tensor, Int>>},
    {"tuple_nested", same<std::tuple<std::tuple<Int, Int>, Int>>},
    {"tuple_with_str", same<std::tuple<std::string, Int>>},
    {"list_int", matrix},
    {"list_int", same<std::vector<Tensor>>},
    {"list_empty", same<std::vector<Tensor>>},
    {"list_unequal_1_then_2", matrix},
    {"list_unequal_1_then_2", same<std::vector<Tensor>>},
    {"list_unequal_2_then_1", matrix},
    {"list_unequal_2_then_1", same<std::vector<Tensor>>},
    {"list_of_tensor_unequal_shape", same<std::vector<Tensor>>},
    {"dict_int_str", same<IntAndText>},
    {"dict_nested", same<Named<Named<std::tuple<Int, double>>>>},
    {"dict_key_missing_later", missing_key},
    {"dict_extra_key_later", same<Named<Int>>},
    {"dict_key_order", same<Named<Int>>},
    {"dict_int_keys", same<std::map<Int, Int>>},
    {"dict_empty", same<Named<Int>>},
    {"dict_subclass", same<Derived>},
    {"dict_value_none", never_compiles<Named<std::monostate>::mapped_type>},
    {"namedtuple", same<Point>},
    {"empty_batch", nothing},
};

constexpr std::string_view kOneType = "the samples of a dataset have one type";
constexpr std::string_view kNoElement = "tensors have no elements of this type";
constexpr std::string_view kNoLayout = "tensors are dense";
constexpr std::string_view kPythonClass =
    "a class of Python; a batch's type follows from the sample's";
constexpr std::string_view kLengthInType = "the length of a tuple is part of its type";

const test::LeftOut kLeftOut[] = {
    {"tensor_complex64", kNoElement},
    {"tensor_requires_grad", "tensors have no gradient; libtorch's are refused in TorchLoader"},
    {"tensor_sparse_coo", kNoLayout},
    {"tensor_sparse_csr", kNoLayout},
    {"tensor_nested", kNoLayout},
    {"ndarray_string", kNoElement},
    {"ndarray_object", kNoElement},
    {"tensor_then_int", kOneType},
    {"numpy_float64_scalar_then_float", kOneType},
    {"numpy_float32_scalar_then_float64_scalar", kOneType},
    {"numpy_str_scalar", "there is one type of texts, that of the entry str"},
    {"numpy_datetime64_scalar", kPythonClass},
    {"int_over_int64", "a type that holds the number has a dtype of its own, uint64"},
    {"bool_then_int", kOneType},
    {"int_then_bool", kOneType},
    {"bool_then_float", kOneType},
    {"int_then_float", kOneType},
    {"float_then_int", kOneType},
    {"float_then_bool", kOneType},
    {"int_then_str", kOneType},
    {"int_then_none", kOneType},
    {"float_then_none", kOneType},
    {"int_then_0d_tensor", kOneType},
    {"str_then_int", kOneType},
    {"tuple_empty", "a tuple of nothing is refused when it is compiled"},
    {"tuple_then_list", kOneType},
    {"tuple_unequal_1_then_2", kLengthInType},
    {"tuple_unequal_2_then_1", kLengthInType},
    {"list_subclass", kPythonClass},
    {"list_then_int", kOneType},
    {"range", "a range is no value that travels"},
    {"dict_ordered", kPythonClass},
    {"dict_mappingproxy", kPythonClass},
    {"dict_then_list", kOneType},
    {"namedtuple_then_short_tuple", kOneType},
};

TEST(GoldenCollate, every_kind_of_sample_gives_pytorchs_batch_or_error) {
  test::compare_entries("collate_cases", kCompared, kLeftOut);
}

}  // namespace
}  // namespace forklift
