// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <forklift/shape.hpp>

namespace forklift::detail {

/// Where in a sample a part stands. Lives on the stack of the recursion, costs two words, is made
/// into text only for an error.
struct FieldPath {
  const FieldPath* parent = nullptr;
  std::size_t position = 0;   ///< of a field or of a list element, from 0
  std::string_view key = {};  ///< of a map

  /// "field 2", "field 1.0", "field 3[speed]"; "the sample" at the root.
  [[nodiscard]] std::string text() const;
};

/// In place of the dataset index of a sample that get_batch returned beyond those it was asked for.
inline constexpr std::uint64_t kNotAskedFor = UINT64_MAX;

/// Two samples of one batch that do not fit together, by their dataset indices, or where they have
/// none by their positions in the batch.
struct TwoSamples {
  std::uint64_t first = 0;
  std::uint64_t other = 0;
  bool are_positions = false;
};

/// Each throws a TensorError that names the field, both samples and what differs.
[[noreturn]] void throw_shape_mismatch(const FieldPath& path,
                                       TwoSamples samples,
                                       const Shape& first,
                                       const Shape& other);
[[noreturn]] void throw_dtype_mismatch(const FieldPath& path,
                                       TwoSamples samples,
                                       std::string_view first,
                                       std::string_view other);
[[noreturn]] void throw_length_mismatch(const FieldPath& path,
                                        TwoSamples samples,
                                        std::size_t first,
                                        std::size_t other);
[[noreturn]] void throw_presence_mismatch(const FieldPath& path,
                                          TwoSamples samples,
                                          bool first_has_value);
[[noreturn]] void throw_missing_key(const FieldPath& path, TwoSamples samples);

}  // namespace forklift::detail
