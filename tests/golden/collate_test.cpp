// SPDX-License-Identifier: MIT
// Batches of tensors and of numbers: dtype, shape, and the words where they do not fit. Semantics
// 5.1, 5.2 and 10.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/made_dataset.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using nlohmann::json;
using test_support::Made;

std::optional<DType> dtype_named(const std::string& wanted) {
  for (std::uint8_t i = 0; i < kDTypeCount; ++i) {
    if (name(static_cast<DType>(i)) == wanted) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

Shape shape_of(const json& tensor) {
  const auto sizes = tensor.at("shape").get<std::vector<std::int64_t>>();
  return Shape(sizes);
}

// Zeros of the dtypes and shapes of a batch; empty where it has what C++ has not.
std::vector<Tensor> tensors_of(const json& batch) {
  std::vector<Tensor> tensors;
  for (const json& sample : batch) {
    const auto dtype = sample.at("kind") == "tensor" && sample.contains("dtype")
                           ? dtype_named(sample.at("dtype").get<std::string>())
                           : std::nullopt;
    if (!dtype.has_value()) {
      return {};
    }
    tensors.push_back(Tensor::zeros(shape_of(sample), *dtype));
  }
  return tensors;
}

// The batch, or the message of its error.
std::optional<Tensor> collate(const std::vector<Tensor>& samples,
                              int num_workers,
                              std::string& message) {
  DataLoader loader(
      Made<Tensor>(samples.size(), [&samples](std::size_t index) { return samples[index]; }),
      {.batch_size = samples.size(), .num_workers = num_workers});
  try {
    for (auto& batch : loader) {
      return batch;
    }
  } catch (const WorkerError& error) {
    message = error.what();
  }
  return std::nullopt;
}

bool are_of_one_dtype(const std::vector<Tensor>& samples) {
  for (const Tensor& sample : samples) {
    if (sample.dtype() != samples.front().dtype()) {
      return false;
    }
  }
  return true;
}

// PyTorch says which two shapes do not fit, of the main process; a worker may say something else.
void expect_same(const json& entry, const std::vector<Tensor>& samples, int num_workers) {
  const json& recorded = entry.at("main");
  std::string message;
  const auto batch = collate(samples, num_workers, message);
  if (!are_of_one_dtype(samples)) {  // promoted or cut there, by who collates
    EXPECT_NE(message.find("stack expects each tensor to be of equal dtype"), std::string::npos);
  } else if (recorded.contains("error")) {
    EXPECT_NE(message.find("stack expects each tensor to be equal size"), std::string::npos);
    for (const Tensor& sample : samples) {
      EXPECT_TRUE(message.find(sample.shape().text()) != std::string::npos ||
                  sample.shape() == samples.front().shape())
          << message;
    }
  } else if (batch.has_value()) {
    EXPECT_EQ(name(batch->dtype()), recorded.at("dtype").get<std::string>());
    EXPECT_EQ(batch->shape(), shape_of(recorded));
  } else {
    ADD_FAILURE() << message;
  }
}

TEST(GoldenCollate, tensors_stack_to_pytorchs_dtypes_and_shapes) {
  std::size_t compared = 0;
  for (const json& entry : test::golden("collate_cases")) {
    const std::vector<Tensor> samples = tensors_of(entry.at("batch"));
    if (samples.empty()) {
      continue;
    }
    SCOPED_TRACE(entry.at("name").get<std::string>());
    for (const int num_workers : {0, 1}) {
      expect_same(entry, samples, num_workers);
    }
    ++compared;
  }
  EXPECT_EQ(compared, 27U);
}

}  // namespace
}  // namespace forklift
