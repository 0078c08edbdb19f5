// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include <forklift/detail/generator_blob.hpp>
#include <forklift/detail/sampler_state.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {

std::string state_text(const std::optional<Generator>& generator) {
  return generator.has_value() ? to_text(generator->get_state()) : std::string();
}

void load_state_text(std::optional<Generator>& generator, const std::string& state) {
  if (generator.has_value() != !state.empty()) {
    throw StateError(fmt::format("the state is of a sampler {} a generator, and this one has {}",
                                 state.empty() ? "without" : "with",
                                 generator.has_value() ? "one" : "none"));
  }
  if (generator.has_value()) {
    try {
      generator->set_state(to_blob(state, "the state of the sampler"));
    } catch (const InvalidOptions& error) {
      throw StateError(fmt::format("the state of the sampler is none: {}", error.what()));
    }
  }
}

std::string to_text(const EpochState& state) {
  return fmt::format("{} {} {}", state.seed, state.num_replicas, state.epoch);
}

std::uint64_t epoch_of(const std::string& text, const EpochState& own) {
  std::array<std::uint64_t, 3> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [stop, error] = std::from_chars(at, end, numbers[i]);
    const bool is_last = i + 1 == numbers.size();
    if (error != std::errc() || (is_last ? stop != end : stop == end || *stop != ' ')) {
      throw StateError(fmt::format("\"{}\" is no state of a distributed sampler", text));
    }
    at = is_last ? stop : stop + 1;
  }
  const auto& [seed, num_replicas, epoch] = numbers;
  if (seed != own.seed || num_replicas != own.num_replicas) {
    throw StateError(
        fmt::format("the state is of a sampler with seed {} and num_replicas {}, and this one has "
                    "seed {} and num_replicas {}",
                    seed,
                    num_replicas,
                    own.seed,
                    own.num_replicas));
  }
  return epoch;
}

}  // namespace forklift::detail
