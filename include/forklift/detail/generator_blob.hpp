// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <forklift/detail/loader_snapshot.hpp>
#include <forklift/detail/mt19937.hpp>

namespace forklift::detail {

/// An engine and the seed it was given.
struct SeededEngine {
  Mt19937 engine;
  std::uint64_t seed = 0;
};

/// The state as PyTorch's CPU generators give it: Generator::kStateBytes bytes, little endian.
/// Source: PyTorch 2.15 at::CPUGeneratorImpl, its state of the days before at::Generator.
[[nodiscard]] std::vector<std::uint8_t> write_state(const SeededEngine& seeded);
/// Errors: InvalidOptions for what is no such state.
[[nodiscard]] SeededEngine read_state(std::span<const std::uint8_t> state);

/// A generator's state as hexadecimal digits.
[[nodiscard]] std::string to_text(const GeneratorBlob& blob);
/// Errors: StateError that names `what` for anything else than such digits.
[[nodiscard]] GeneratorBlob to_blob(std::string_view text, std::string_view what);

}  // namespace forklift::detail
