// SPDX-License-Identifier: MIT
// Semantics 5.4.
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support/counted_tensor.hpp"
#include "support/message_of.hpp"

#include <forklift/dataset.hpp>
#include <forklift/error.hpp>
#include <forklift/tensor.hpp>
#include <forklift/tensor_dataset.hpp>

namespace forklift {
namespace {

using test_support::counted;
using test_support::message_of;
using test_support::values;

static_assert(MapDataset<TensorDataset<Tensor>> && MapDataset<const TensorDataset<Tensor, Tensor>>);

TEST(TensorDataset, gives_rows_that_share_the_memory_and_keep_it_alive) {
  Tensor row;
  {
    const Tensor whole = counted({3, 2});
    const TensorDataset dataset(whole);
    row = std::get<0>(dataset.get(1));
    whole.data<std::int32_t>()[2] = 20;
    EXPECT_EQ(row.owner(), whole.owner());
  }

  EXPECT_EQ(values(row), (std::vector<std::int32_t>{20, 3}));
}

TEST(TensorDataset, refuses_tensors_that_differ_in_their_first_size) {
  EXPECT_EQ(message_of<InvalidOptions>([] {
              TensorDataset(counted({6, 3}), counted({5}));
            }),
            "Size mismatch between tensors: number 0 has 6, number 1 has 5");
}

TEST(TensorDataset, refuses_a_scalar) {
  EXPECT_EQ(message_of<InvalidOptions>([] { TensorDataset(counted({6}), counted(Shape())); }),
            "a TensorDataset needs tensors with a first dimension, but got a scalar");
}

TEST(TensorDataset, refuses_an_index_that_it_does_not_have) {
  const TensorDataset dataset(counted({6, 3}));
  const auto get = [&] { static_cast<void>(dataset.get(6)); };

  EXPECT_EQ(message_of<InvalidOptions>(get),
            "index 6 is out of range for a TensorDataset of 6 samples");
}

}  // namespace
}  // namespace forklift
