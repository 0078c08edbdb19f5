// SPDX-License-Identifier: MIT
// Found by an attack: an exception of the sampler that the loader throws too, for reasons of its
// own, was told once; the next comparison said that the pass was over.
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::Numbers;

class SamplerErrors : public test_support::LeavesNothing {};

TEST_F(SamplerErrors, repeat_a_sampler_s_exception_of_any_type_until_the_next_step) {
  struct Failing {
    std::function<void()> fail;
    struct Cursor {
      std::function<void()> fail;
      std::optional<std::size_t> next() {
        fail();
        return std::nullopt;
      }
    };
    [[nodiscard]] Cursor iterate() const { return {fail}; }
  };
  const auto expect_repeated = [](auto exception, int num_workers) {
    DataLoader loader(
        Numbers(4, identity),
        {.sampler = Failing{[exception] { throw exception; }}, .num_workers = num_workers});
    auto batch = loader.begin();
    for (int i = 0; i < 3; ++i) {
      EXPECT_THROW(static_cast<void>(batch == loader.end()), decltype(exception));
    }
    ++batch;
    EXPECT_TRUE(batch == loader.end());
  };
  for (const int num_workers : {0, 1}) {
    expect_repeated(StateError("of the sampler"), num_workers);
    expect_repeated(TimeoutError("of the sampler"), num_workers);
    expect_repeated(std::domain_error("of the sampler"), num_workers);
  }
}

}  // namespace
}  // namespace forklift
