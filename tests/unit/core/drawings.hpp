// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <forklift/batch_writer.hpp>
#include <forklift/dtype.hpp>
#include <forklift/tensor.hpp>

/// Types with a forklift_collate() of their own, each for another reason.
namespace drawings {

using forklift::BatchWriter;
using forklift::Tensor;

Tensor numbers_of(const auto& values, auto number) {
  std::vector<std::int64_t> numbers;
  for (const auto& value : values) {
    numbers.push_back(number(value));
  }
  return Tensor::of(numbers);
}

/// A class with private members, and its function as a friend.
class Point {
 public:
  explicit Point(std::int64_t x) : x_(x) {}

 private:
  friend Tensor forklift_collate(std::span<const Point> points) {
    return numbers_of(points, [](const Point& point) { return point.x_; });
  }
  std::int64_t x_;
};

/// An aggregate, which would have a rule without the function, and whose batch is itself one.
struct Line {
  std::vector<std::int64_t> ends;
};
inline Line forklift_collate(std::span<const Line> lines) {
  Line all;
  for (const Line& line : lines) {
    all.ends.insert(all.ends.end(), line.ends.begin(), line.ends.end());
  }
  return all;
}

/// A batch that names its members, and one that lies in the slot.
struct Shapes {
  Tensor corners;
  std::vector<std::string> names;
};
struct Base {
  std::int64_t corners = 3;
};
struct Shape : Base {
  std::string name;
};
inline Shapes forklift_collate(std::span<const Shape> shapes, BatchWriter& slot) {
  Shapes batch{slot.empty({static_cast<std::int64_t>(shapes.size())}, forklift::DType::i64), {}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    batch.corners.data<std::int64_t>()[i] = shapes[i].corners;
    batch.names.push_back(shapes[i].name);
  }
  return batch;
}

enum class Colour { red, green };
inline std::vector<std::string> forklift_collate(std::span<const Colour> colours) {
  std::vector<std::string> names;
  for (const Colour colour : colours) {
    names.emplace_back(colour == Colour::red ? "red" : "green");
  }
  return names;
}

using Either = std::variant<Colour, std::int64_t>;
inline std::int64_t forklift_collate(std::span<const Either> values) {
  std::int64_t numbers = 0;
  for (const Either& value : values) {
    numbers += static_cast<std::int64_t>(value.index());
  }
  return numbers;
}

struct Wide {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
inline Wide wide(int q) {
  Wide row{};
  row.q = q;
  return row;
}
inline Tensor forklift_collate(std::span<const Wide> rows) {
  return numbers_of(rows, [](const Wide& row) { return row.q; });
}

/// Has no copies.
struct Owner {
  std::unique_ptr<std::int64_t> number;
};
inline Tensor forklift_collate(std::span<const Owner> owners) {
  return numbers_of(owners, [](const Owner& owner) { return *owner.number; });
}

/// Holds itself.
struct Tree {
  std::vector<Tree> children;
};
inline Tensor forklift_collate(std::span<const Tree> trees) {
  return numbers_of(
      trees, [](const Tree& tree) { return static_cast<std::int64_t>(tree.children.size()); });
}

/// Has the members of a std::map, and is one of the user's own.
struct Palette : std::map<std::string, int> {};
inline std::vector<std::string> forklift_collate(std::span<const Palette> palettes) {
  std::vector<std::string> keys;
  for (const Palette& palette : palettes) {
    for (const auto& [key, value] : palette) {
      keys.push_back(key);
    }
  }
  return keys;
}

/// One function for several types, and both forms at once.
template <class Unit>
struct Length {
  Unit value;
};
template <class Unit>
Tensor forklift_collate(std::span<const Length<Unit>> /*lengths*/) {
  throw std::logic_error("the form without a slot was called");
}
template <class Unit>
Tensor forklift_collate(std::span<const Length<Unit>> lengths, BatchWriter& slot) {
  return slot.zeros({static_cast<std::int64_t>(lengths.size())}, forklift::kDTypeOf<Unit>);
}

struct Broken {
  int number;
};
inline Tensor forklift_collate(std::span<const Broken> values) {
  throw std::runtime_error("no batch of " + std::to_string(values.size()));
}

/// No function: the rule for aggregates holds, although its namespace has functions.
struct Plain {
  std::int64_t number;
};

/// Keeps the names of its members; what is named has a function too.
struct Scene {
  Point point;
  std::optional<Line> line;
  std::vector<Colour> colours;
  std::map<std::string, Shape> shapes;
  std::pair<Plain, Either> rest;
};
struct Scenes {
  Tensor points;
  std::optional<Line> line;
  std::vector<std::vector<std::string>> colours;
  std::map<std::string, Shapes> shapes;
  std::pair<std::tuple<Tensor>, std::int64_t> rest;
};

}  // namespace drawings
