// SPDX-License-Identifier: MIT
// Semantics 4.4.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/message_of.hpp"

#include <forklift/error.hpp>
#include <forklift/generator.hpp>
#include <forklift/random_split.hpp>

namespace forklift::test {
namespace {

struct Numbers {
  std::size_t count;
  [[nodiscard]] std::size_t size() const { return count; }
  [[nodiscard]] static std::size_t get(std::size_t index) { return index; }
};

TEST(GoldenRandomSplit, parts_warnings_and_the_stream_after_them) {
  std::size_t compared = 0;
  for (const auto& recorded : golden("random_split_cases")) {
    if (recorded.contains("error")) {
      continue;
    }
    SCOPED_TRACE(recorded.at("lengths").dump() + " of " + recorded.at("n").dump() + ", seed " +
                 recorded.at("seed").dump());
    const auto lengths = recorded.at("lengths").get<std::vector<double>>();
    if (lengths.front() < 0) {
      continue;  // a quirk of PyTorch: lengths that are negative
    }
    const auto seed = recorded.at("seed").get<std::uint64_t>();
    const bool uses_default = recorded.at("generator") == "default";
    Generator generator = uses_default ? default_generator() : Generator(seed);
    generator.manual_seed(seed);
    std::vector<std::string> warnings;
    const auto keep = [&](std::string_view text) { warnings.emplace_back(text); };

    const Numbers numbers{recorded.at("n").get<std::size_t>()};
    const auto parts = uses_default ? random_split(numbers, lengths)
                                    : random_split(numbers, lengths, generator, keep);

    ASSERT_EQ(parts.size(), recorded.at("splits").size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(parts[i].size(), recorded.at("lengths_out").at(i).get<std::size_t>());
      expect_list(recorded.at("splits").at(i), parts[i].indices());
    }
    EXPECT_EQ(warnings, recorded.at("warnings").get<std::vector<std::string>>());
    EXPECT_EQ(generator.random63(), recorded.at("next63").get<std::uint64_t>());
    ++compared;
  }
  EXPECT_EQ(compared, 35U);
}

TEST(GoldenRandomSplit, errors) {
  std::size_t compared = 0;
  for (const auto& recorded : golden("random_split_cases")) {
    if (!recorded.contains("error")) {
      continue;
    }
    SCOPED_TRACE(recorded.dump());
    const Numbers numbers{recorded.at("n").get<std::size_t>()};
    const auto lengths = recorded.at("lengths").get<std::vector<double>>();
    const std::string message = test_support::message_of<InvalidOptions>(
        [&] { static_cast<void>(random_split(numbers, lengths, Generator(1))); });
    EXPECT_TRUE(message.starts_with(recorded.at("message").get<std::string>())) << message;
    ++compared;
  }
  EXPECT_EQ(compared, 5U);
}

}  // namespace
}  // namespace forklift::test
