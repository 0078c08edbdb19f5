// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <forklift/detail/generator_blob.hpp>
#include <forklift/error.hpp>
#include <forklift/generator.hpp>

namespace forklift::detail {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

std::size_t value_of(char digit, std::string_view what) {
  const std::size_t value = kDigits.find(digit);
  if (value == std::string_view::npos) {
    throw StateError(fmt::format("{} is not hexadecimal", what));
  }
  return value;
}

}  // namespace

std::string to_text(const GeneratorBlob& blob) {
  std::string text;
  text.reserve(2 * blob.size());
  for (const std::uint8_t byte : blob) {
    text.push_back(kDigits[byte >> 4U]);
    text.push_back(kDigits[byte & 15U]);
  }
  return text;
}

GeneratorBlob to_blob(std::string_view text, std::string_view what) {
  if (text.size() != 2 * Generator::kStateBytes) {
    throw StateError(
        fmt::format("{} should be a generator's state of {} hexadecimal digits, but "
                    "has {}",
                    what,
                    2 * Generator::kStateBytes,
                    text.size()));
  }
  GeneratorBlob blob(Generator::kStateBytes);
  for (std::size_t i = 0; i < blob.size(); ++i) {
    blob[i] = static_cast<std::uint8_t>(value_of(text[2 * i], what) * 16 +
                                        value_of(text[2 * i + 1], what));
  }
  return blob;
}

}  // namespace forklift::detail
