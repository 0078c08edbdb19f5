// SPDX-License-Identifier: MIT
// Types of the user's with a forklift_collate() of their own. Semantics 5.1 (the registry).
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "drawings.hpp"
#include "fake_slot.hpp"

#include <forklift/tensor.hpp>
#include <forklift/tensor_adapter.hpp>

namespace sketches {

/// Stands for a tensor of another library; and a type whose function returns one.
struct ForeignTensor {};
struct Sketch {
  int number;
};
ForeignTensor forklift_collate(std::span<const Sketch> sketches);

}  // namespace sketches

namespace forklift {

template <>
struct TensorAdapter<sketches::ForeignTensor> {
  static constexpr bool kIsTensor = true;
  static constexpr bool kForeign = true;
};

namespace {

using namespace drawings;  // NOLINT(google-build-using-namespace)
using std::is_same_v;
using test::collate;
using test::collate_as;
using test::FakeSlot;
using test::values;
using Numbers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

static_assert(is_same_v<Collated<Point>, Tensor> && is_same_v<Collated<Line>, Line>);
static_assert(is_same_v<Collated<drawings::Shape>, Shapes>);
static_assert(is_same_v<Collated<Plain>, std::tuple<Tensor>>);
static_assert(
    is_same_v<Collated<std::pair<Plain, Either>>, std::pair<std::tuple<Tensor>, std::int64_t>>);
static_assert(is_same_v<Collated<std::vector<Colour>>, std::vector<Texts>>);
static_assert(detail::fits<Scene, Scenes, Tensor>());
static_assert(!detail::fits<Line, Tensor, Tensor>());
static_assert(!detail::fits<Line, std::tuple<Tensor>, Tensor>());

// All tensors of a batch are of one library, also where only a function's result is of it.
using sketches::ForeignTensor;
static_assert(is_same_v<Collated<std::tuple<int, std::vector<sketches::Sketch>, float>>,
                        std::tuple<ForeignTensor, std::vector<ForeignTensor>, ForeignTensor>>);

TEST(CustomCollate, takes_types_that_have_no_rule) {
  EXPECT_EQ(values<std::int64_t>(collate<Point>({Point(1), Point(5)})), (Numbers{1, 5}));
  EXPECT_EQ(collate<Colour>({Colour::green, Colour::red}), (Texts{"green", "red"}));
  EXPECT_EQ(collate<Either>({Colour::green, std::int64_t{7}, std::int64_t{8}}), 2);
  EXPECT_EQ(values<std::int64_t>(collate<Wide>({wide(3), wide(4)})), (Numbers{3, 4}));
  EXPECT_EQ(values<std::int64_t>(collate<Tree>({{{{}, {}}}, {}})), (Numbers{2, 0}));
}

TEST(CustomCollate, goes_before_the_rules_for_aggregates_and_for_maps_of_the_user_s) {
  EXPECT_EQ(collate<Line>({{{1, 2}}, {}, {{3}}}).ends, (Numbers{1, 2, 3}));
  EXPECT_EQ(collate<Palette>({{{{"a", 1}}}, {{{"b", 2}, {"c", 3}}}}), (Texts{"a", "b", "c"}));
}

TEST(CustomCollate, writes_into_the_slot) {
  FakeSlot slot;

  const auto batch =
      collate_as<Shapes>(slot, std::vector<drawings::Shape>{{{3}, "triangle"}, {{4}, "square"}});

  EXPECT_EQ(values<std::int64_t>(batch.corners), (Numbers{3, 4}));
  EXPECT_EQ(batch.names, (Texts{"triangle", "square"}));
  EXPECT_EQ(batch.corners.bytes().data(), slot.payload().data());
}

TEST(CustomCollate, prefers_the_form_with_a_slot) {
  EXPECT_EQ(collate<Length<float>>({{1}, {2}}).dtype(), DType::f32);
  EXPECT_EQ(collate<Length<double>>({{1}, {2}}).dtype(), DType::f64);
}

TEST(CustomCollate, holds_for_parts_of_every_kind) {
  const auto scene = [](std::int64_t number) {
    return Scene{Point(number),
                 Line{{number, number}},
                 {Colour::red, number == 1 ? Colour::red : Colour::green},
                 {{"a", {{number}, "shape"}}},
                 {{number * 10}, number}};
  };
  FakeSlot slot;

  const auto batch = collate_as<Scenes>(slot, std::vector<Scene>{scene(1), scene(2)});

  EXPECT_EQ(values<std::int64_t>(batch.points), (Numbers{1, 2}));
  ASSERT_TRUE(batch.line.has_value());
  EXPECT_EQ(batch.line->ends, (Numbers{1, 1, 2, 2}));
  EXPECT_EQ(batch.colours, (std::vector<Texts>{{"red", "red"}, {"red", "green"}}));
  EXPECT_EQ(values<std::int64_t>(batch.shapes.at("a").corners), (Numbers{1, 2}));
  EXPECT_EQ(values<std::int64_t>(std::get<0>(batch.rest.first)), (Numbers{10, 20}));
  EXPECT_EQ(batch.rest.second, 2);
}

TEST(CustomCollate, is_not_asked_where_no_sample_has_the_value) {
  EXPECT_FALSE(collate<std::optional<Broken>>({std::nullopt, std::nullopt}).has_value());
  EXPECT_TRUE(collate<std::vector<Broken>>({{}, {}}).empty());
}

/// Puts samples that are not const, as those that get() returns by value.
template <class Sample>
Collated<Sample> collate_temporaries(std::vector<Sample> samples) {
  FakeSlot slot;
  return test::collate_list<Collated<Sample>>(slot, samples);
}

std::vector<Owner> owners(std::int64_t first, std::int64_t second) {
  std::vector<Owner> all;
  all.push_back({std::make_unique<std::int64_t>(first)});
  all.push_back({std::make_unique<std::int64_t>(second)});
  return all;
}

TEST(CustomCollate, takes_values_without_copies) {
  std::vector<std::tuple<std::vector<Owner>, int>> samples;
  samples.emplace_back(owners(1, 2), 0);
  samples.emplace_back(owners(3, 4), 0);

  const auto whole = collate_temporaries(owners(7, 8));
  const auto [parts, numbers] = collate_temporaries(std::move(samples));

  EXPECT_EQ(values<std::int64_t>(whole), (Numbers{7, 8}));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(values<std::int64_t>(parts[0]), (Numbers{1, 3}));
  EXPECT_EQ(values<std::int64_t>(parts[1]), (Numbers{2, 4}));
}

TEST(CustomCollate, copies_what_a_tuple_of_references_refers_to) {
  Line line{{1, 2}};
  std::vector<std::tuple<Line&, int>> samples{{line, 0}, {line, 0}};

  const auto [lines, numbers] = collate_temporaries(std::move(samples));

  EXPECT_EQ(lines.ends, (Numbers{1, 2, 1, 2}));
  EXPECT_EQ(line.ends, (Numbers{1, 2}));
}

TEST(CustomCollate, starts_afresh_after_a_function_that_threw) {
  FakeSlot slot;
  detail::SlotCursor cursor(slot.memory());
  detail::Column<Broken> column;
  const detail::FieldPath root;
  const auto message_of_batch = [&](std::size_t rows) -> std::string {
    detail::CollateContext context{cursor, rows, {}};
    column.start(context, {0}, root);
    for (std::size_t row = 0; row < rows; ++row) {
      const Broken value{0};
      column.put(context, row, value, root);
    }
    try {
      column.pack(cursor);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  };

  EXPECT_EQ(message_of_batch(3), "no batch of 3");
  EXPECT_EQ(message_of_batch(2), "no batch of 2");
}

}  // namespace
}  // namespace forklift
