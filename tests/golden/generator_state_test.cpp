// SPDX-License-Identifier: MIT
// The state of a generator, byte for byte as torch.Generator.get_state() gives it. Semantics 4.1
// and 4.8.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/message_of.hpp"

#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift {
namespace {

TEST(GoldenGeneratorState, is_pytorchs_byte_for_byte) {
  std::size_t compared = 0;
  for (const auto& entry : test::golden("state_blob_cases")) {
    Generator generator(entry.at("gen_seed").get<std::uint64_t>());
    for (auto words = entry.at("words_drawn").get<std::size_t>(); words > 0; --words) {
      generator.random32();
    }
    const std::vector<std::uint8_t> state = generator.get_state();
    EXPECT_EQ(state.size(), entry.at("bytes").get<std::size_t>());
    EXPECT_EQ(test::sha256_of<std::uint8_t>(state), entry.at("sha256").get<std::string>())
        << entry.dump();
    Generator other;
    other.set_state(state);
    EXPECT_EQ(other.random63(), entry.at("next63").get<std::uint64_t>());
    EXPECT_EQ(other.initial_seed(), entry.at("seed").get<std::uint64_t>());
    ++compared;
  }
  EXPECT_GT(compared, 5U);
}

// Little-endian numbers at byte `at`.
template <class T>
T read_at(std::span<const std::uint8_t> state, std::size_t at) {
  T value{};
  std::memcpy(&value, state.subspan(at, sizeof value).data(), sizeof value);
  return value;
}

TEST(GoldenGeneratorState, has_its_fields_where_pytorch_has_them) {
  EXPECT_EQ(Generator::kStateBytes, test::golden("state_len").get<std::size_t>());
  Generator generator(42);
  const auto fresh = generator.get_state();
  const auto& recorded = test::golden("state_fields_fresh");
  EXPECT_EQ(read_at<std::int32_t>(fresh, 8), recorded.at("left").get<std::int32_t>());
  EXPECT_EQ(read_at<std::int32_t>(fresh, 12), recorded.at("seeded").get<std::int32_t>());
  EXPECT_EQ(read_at<std::uint64_t>(fresh, 16), recorded.at("next").get<std::uint64_t>());
  EXPECT_EQ(read_at<std::uint64_t>(fresh, 24), recorded.at("state0").get<std::uint64_t>());

  generator.discard(3);
  const auto drawn = generator.get_state();
  const auto& later = test::golden("state_fields_after3draws");
  EXPECT_EQ(read_at<std::uint64_t>(drawn, 0), later.at("seed").get<std::uint64_t>());
  EXPECT_EQ(read_at<std::int32_t>(drawn, 8), later.at("left").get<std::int32_t>());
  EXPECT_EQ(read_at<std::uint64_t>(drawn, 16), later.at("next").get<std::uint64_t>());
}

// PyTorch keeps every second normal number for later; Forklift has no use for it and leaves it out.
TEST(GoldenGeneratorState, with_a_normal_number_kept_for_later_goes_on_with_the_words) {
  const auto& recorded = test::golden("state_blob_after_one_normal_double_seed42");
  Generator generator(recorded.at("seed").get<std::uint64_t>());
  generator.discard(recorded.at("next").get<std::uint64_t>());
  auto state = generator.get_state();
  const double kept = recorded.at("normal_y").get<double>();
  std::memcpy(&state.at(5024), &kept, sizeof kept);
  state.at(5040) = 1;
  ASSERT_EQ(test::sha256_of<std::uint8_t>(state), recorded.at("sha256").get<std::string>());

  Generator other;
  other.set_state(state);
  EXPECT_EQ(other.random63(), generator.random63());
}

TEST(GeneratorState, of_every_position_goes_on_as_the_generator_does) {
  Generator generator(3);
  for (int word = 0; word < 1300; ++word) {
    Generator copy;
    copy.set_state(generator.get_state());
    EXPECT_EQ(copy.random32(), generator.random32()) << word;
  }
}

TEST(GeneratorState, reaches_every_copy_and_the_default_generator) {
  Generator generator(1);
  const Generator same = generator;
  generator.set_state(Generator(2).get_state());
  EXPECT_EQ(same.initial_seed(), 2U);
  manual_seed(5);
  const auto before = default_generator().get_state();
  const std::uint64_t drawn = default_generator().random63();
  default_generator().set_state(before);
  EXPECT_EQ(default_generator().random63(), drawn);
}

TEST(GeneratorState, that_is_none_is_refused_and_changes_nothing) {
  Generator generator(4);
  auto state = generator.get_state();
  const auto error_of = [&](std::span<const std::uint8_t> bytes) {
    return test_support::message_of<InvalidOptions>([&] { generator.set_state(bytes); });
  };
  EXPECT_NE(error_of(std::span(state).first(5055)).find("has 5056 bytes, but got 5055"),
            std::string::npos);
  EXPECT_NE(error_of({}).find("but got 0"), std::string::npos);
  state[16] = 200;  // words given out, without the matching number that is left
  EXPECT_NE(error_of(state).find("200 words"), std::string::npos);
  state = Generator(4).get_state();
  state[12] = 0;  // not seeded
  EXPECT_NE(error_of(state).find("no state of a Mersenne twister"), std::string::npos);
  EXPECT_EQ(generator.random63(), Generator(4).random63());
}

}  // namespace
}  // namespace forklift
