// SPDX-License-Identifier: MIT
// Mostly checked by the compiler: what a sample type is taken for, and which batch type follows.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/collated.hpp>
#include <forklift/detail/fields.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/tensor.hpp>

namespace forklift::detail {
namespace {

struct One {
  int a;
};
struct Mixed {
  std::optional<std::string> a;
  std::vector<int> b;
  std::map<std::string, int> c;
  std::pair<int, float> d;
  std::tuple<int, std::string> e;
  std::array<float, 3> f;
  Tensor g;
  One h;
};
struct MoveOnly {
  std::unique_ptr<int> a;
  int b = 3;
};
struct Sixteen {
  char a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
struct Seventeen {
  char a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
struct Empty {};
struct Derived : One {
  int b;
};
struct DerivedAlone : One {};
struct ArrayFirst {
  int a[2];
  int b;
};
struct ArrayLast {
  int a;
  float b[3];
};
struct ArrayOfOne {
  int a[1];
  int b;
};
struct ArrayOfStrings {
  std::string a[2];
};
class Opaque {
 public:
  explicit Opaque(int a) : a_(a) {}

 private:
  [[maybe_unused]] int a_;
};

static_assert(kNumFields<One> == 1 && kNumFields<Mixed> == 8 && kNumFields<MoveOnly> == 2);
static_assert(kNumFields<Sixteen> == 16);
static_assert(aggregate_fault<Mixed>() == AggregateFault::kNone);
static_assert(aggregate_fault<MoveOnly>() == AggregateFault::kNone);
static_assert(aggregate_fault<Sixteen>() == AggregateFault::kNone);
static_assert(aggregate_fault<Seventeen>() == AggregateFault::kTooMany);
static_assert(aggregate_fault<Empty>() == AggregateFault::kEmpty);
static_assert(aggregate_fault<Derived>() == AggregateFault::kBase);
static_assert(aggregate_fault<DerivedAlone>() == AggregateFault::kBase);
static_assert(aggregate_fault<ArrayFirst>() == AggregateFault::kArray);
static_assert(aggregate_fault<ArrayLast>() == AggregateFault::kArray);
static_assert(aggregate_fault<ArrayOfStrings>() == AggregateFault::kArray);

static_assert(kKind<int> == Kind::kNumber && kKind<Half> == Kind::kNumber);
static_assert(kKind<Tensor> == Kind::kTensor);
static_assert(kKind<std::vector<std::uint8_t>> == Kind::kNumberList);
static_assert(kKind<std::array<bool, 2>> == Kind::kNumberList);
static_assert(kKind<std::vector<std::byte>> == Kind::kText && kKind<std::string> == Kind::kText);
static_assert(kKind<std::vector<std::string>> == Kind::kSequence);
static_assert(kKind<std::array<std::vector<int>, 2>> == Kind::kSequence);
static_assert(kKind<std::optional<int>> == Kind::kOptional);
static_assert(kKind<std::map<int, int>> == Kind::kMap);
static_assert(kKind<std::unordered_map<std::string, Tensor>> == Kind::kMap);
static_assert(kKind<std::pair<int, int>> == Kind::kRecord &&
              kKind<std::tuple<int>> == Kind::kRecord);
static_assert(kKind<Mixed> == Kind::kRecord);
static_assert(kKind<long double> == Kind::kRefused && kKind<int*> == Kind::kRefused);
static_assert(kKind<std::byte> == Kind::kRefused && kKind<std::tuple<>> == Kind::kRefused);
static_assert(kKind<Opaque> == Kind::kRefused && kKind<std::variant<int, float>> == Kind::kRefused);
static_assert(kKind<std::map<std::pair<int, int>, int>> == Kind::kRefused);
static_assert(kKind<std::unique_ptr<int>> == Kind::kRefused);

using std::is_same_v;
static_assert(is_same_v<Collated<int>, Tensor> && is_same_v<Collated<Tensor>, Tensor>);
static_assert(is_same_v<Collated<std::vector<float>>, Tensor>);
static_assert(is_same_v<Collated<std::string>, std::vector<std::string>>);
static_assert(is_same_v<Collated<std::vector<std::byte>>, std::vector<std::vector<std::byte>>>);
static_assert(
    is_same_v<Collated<std::pair<int, std::string>>, std::pair<Tensor, std::vector<std::string>>>);
static_assert(is_same_v<Collated<std::tuple<int, std::tuple<float>>>,
                        std::tuple<Tensor, std::tuple<Tensor>>>);
static_assert(is_same_v<Collated<std::vector<One>>, std::vector<std::tuple<Tensor>>>);
static_assert(is_same_v<Collated<std::array<Tensor, 2>>, std::vector<Tensor>>);
static_assert(is_same_v<Collated<std::optional<int>>, std::optional<Tensor>>);
static_assert(
    is_same_v<Collated<std::unordered_map<std::string, int>>, std::map<std::string, Tensor>>);

struct NamedBatch {
  Tensor a;
};
struct Named {
  using Batch = NamedBatch;
  int a;
};
struct Outer {
  Named inner;
  int b;
};
static_assert(is_same_v<Collated<Named>, NamedBatch>);
static_assert(is_same_v<Collated<Outer>, std::tuple<NamedBatch, Tensor>>);

struct OuterBatch {
  NamedBatch inner;
  Tensor b;
};
static_assert(fits<Outer, OuterBatch, Tensor>());
static_assert(fits<Outer, std::tuple<std::tuple<Tensor>, Tensor>, Tensor>());
static_assert(!fits<Outer, NamedBatch, Tensor>());
static_assert(!fits<Outer, std::tuple<Tensor, Tensor>, Tensor>());
static_assert(fits<std::array<One, 2>, std::vector<NamedBatch>, Tensor>());
static_assert(!fits<std::array<One, 2>, std::array<NamedBatch, 2>, Tensor>());
static_assert(fits<std::optional<One>, std::optional<NamedBatch>, Tensor>());
static_assert(!fits<std::optional<int>, Tensor, Tensor>());
static_assert(fits<std::map<int, int>, std::unordered_map<int, Tensor>, Tensor>());
static_assert(!fits<std::map<int, int>, std::map<std::int64_t, Tensor>, Tensor>());
static_assert(!fits<std::string, std::string, Tensor>());

TEST(Fields, are_references_to_the_members_in_order) {
  Mixed mixed{.a = "x", .b = {1}, .c = {}, .d = {2, 0.5F}, .e = {}, .f = {}, .g = {}, .h = {7}};

  const auto fields = fields_of(mixed);
  std::get<1>(fields).push_back(2);
  std::get<7>(fields).a = 8;

  EXPECT_EQ(mixed.b, (std::vector<int>{1, 2}));
  EXPECT_EQ(mixed.h.a, 8);
  EXPECT_EQ(std::get<3>(fields).first, 2);
}

TEST(Fields, are_const_in_a_const_object) {
  const Mixed mixed{};
  static_assert(is_same_v<decltype(std::get<1>(fields_of(mixed))), const std::vector<int>&>);
  EXPECT_EQ(&std::get<1>(fields_of(mixed)), &mixed.b);
}

TEST(Fields, reach_the_sixteenth_member) {
  Sixteen letters{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'};
  std::string text;

  std::apply([&](auto&... letter) { (text.push_back(letter), ...); }, fields_of(letters));

  EXPECT_EQ(text, "abcdefghijklmnop");
}

TEST(Fields, of_an_array_of_one_element_are_refused_or_whole) {
  // An array of one takes as many initialisers as a number, so that it cannot be told from one by
  // counting.
  if constexpr (aggregate_fault<ArrayOfOne>() == AggregateFault::kNone) {
    ArrayOfOne object{{4}, 5};
    static_assert(
        kKind<std::remove_cvref_t<std::tuple_element_t<0, decltype(fields_of(object))>>> ==
        Kind::kRefused);
  }
  SUCCEED();
}

}  // namespace
}  // namespace forklift::detail
