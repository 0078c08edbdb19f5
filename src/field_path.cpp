// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include <forklift/detail/field_path.hpp>
#include <forklift/error.hpp>
#include <forklift/shape.hpp>

namespace forklift::detail {
namespace {

std::string step(const FieldPath& path) {
  return path.key.data() != nullptr ? fmt::format("[{}]", path.key) : std::to_string(path.position);
}

std::string place(std::uint64_t sample, bool is_position) {
  if (is_position) {
    return fmt::format("sample {} of the batch", sample);
  }
  return sample == kNotAskedFor ? "a place that get_batch was not asked for"
                                : fmt::format("dataset index {}", sample);
}

std::string first_place(TwoSamples samples) {
  return place(samples.first, samples.are_positions);
}
std::string other_place(TwoSamples samples) {
  return place(samples.other, samples.are_positions);
}

std::string places(TwoSamples samples) {
  return fmt::format("at {} and", first_place(samples));
}

}  // namespace

std::string FieldPath::text() const {
  if (parent == nullptr) {
    return "the sample";
  }
  std::string steps = step(*this);
  for (const FieldPath* up = parent; up->parent != nullptr; up = up->parent) {
    steps = step(*up) + (steps.front() == '[' ? "" : ".") + steps;
  }
  return "field " + steps;
}

void throw_shape_mismatch(const FieldPath& path,
                          TwoSamples samples,
                          const Shape& first,
                          const Shape& other) {
  throw TensorError(
      fmt::format("stack expects each tensor to be equal size, but {} has {} {} {} at {}",
                  path.text(),
                  first.text(),
                  places(samples),
                  other.text(),
                  other_place(samples)));
}

void throw_dtype_mismatch(const FieldPath& path,
                          TwoSamples samples,
                          std::string_view first,
                          std::string_view other) {
  throw TensorError(
      fmt::format("stack expects each tensor to be of equal dtype, but {} has {} {} {} at {}",
                  path.text(),
                  first,
                  places(samples),
                  other,
                  other_place(samples)));
}

void throw_length_mismatch(const FieldPath& path,
                           TwoSamples samples,
                           std::size_t first,
                           std::size_t other) {
  throw TensorError(
      fmt::format("each element in list of batch should be of equal size, but {} has length {} {} "
                  "{} at {}",
                  path.text(),
                  first,
                  places(samples),
                  other,
                  other_place(samples)));
}

void throw_presence_mismatch(const FieldPath& path, TwoSamples samples, bool first_has_value) {
  throw TensorError(
      fmt::format("an optional must be present in all samples of a batch or in none, but {} is {} "
                  "{} {} at {}",
                  path.text(),
                  first_has_value ? "present" : "absent",
                  places(samples),
                  first_has_value ? "absent" : "present",
                  other_place(samples)));
}

void throw_missing_key(const FieldPath& path, TwoSamples samples) {
  throw TensorError(fmt::format("{} is in the map {} not in the one at {}",
                                path.text(),
                                places(samples),
                                other_place(samples)));
}

}  // namespace forklift::detail
