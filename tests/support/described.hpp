// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <forklift/detail/leaf.hpp>
#include <forklift/forklift.hpp>
#include <nlohmann/json.hpp>

/// Samples and batches in the words of golden.json, and back.
namespace forklift::test {

using nlohmann::json;

/// Calls `call` with an element of the type that `dtype` stands for.
template <class Call>
auto with_element_of(DType dtype, Call&& call) {
  switch (dtype) {
    case DType::boolean:
      return call(bool());
    case DType::u8:
      return call(std::uint8_t());
    case DType::i8:
      return call(std::int8_t());
    case DType::u16:
      return call(std::uint16_t());
    case DType::i16:
      return call(std::int16_t());
    case DType::u32:
      return call(std::uint32_t());
    case DType::i32:
      return call(std::int32_t());
    case DType::u64:
      return call(std::uint64_t());
    case DType::i64:
      return call(std::int64_t());
    case DType::f16:
      return call(Half());
    case DType::bf16:
      return call(BFloat16());
    case DType::f32:
      return call(float());
    case DType::f64:
      return call(double());
  }
  throw std::logic_error("no such dtype");
}

/// The element type that PyTorch calls `wanted`.
inline DType dtype_named(const std::string& wanted) {
  for (std::uint8_t i = 0; i < kDTypeCount; ++i) {
    if (name(static_cast<DType>(i)) == wanted) {
      return static_cast<DType>(i);
    }
  }
  throw std::logic_error("no dtype " + wanted);
}

template <Number T>
json number_text(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}

/// Its elements as nested lists, a scalar as a number.
inline json values_of(const Tensor& tensor) {
  if (tensor.dim() == 0) {
    return with_element_of(tensor.dtype(), [&](auto element) {
      return number_text(tensor.item<decltype(element)>());
    });
  }
  json rows = json::array();
  for (std::int64_t i = 0; i < tensor.size(0); ++i) {
    rows.push_back(values_of(tensor.row(i)));
  }
  return rows;
}

template <class T>
json described(const T& value);

template <class Range>
json described_each(const Range& values) {
  json items = json::array();
  for (const auto& value : values) {
    items.push_back(described(value));
  }
  return items;
}

/// A sample or a batch in the words of golden.json. A tuple, a pair and an aggregate are lists.
template <class T>
json described(const T& value) {
  using detail::Kind;
  constexpr Kind kind = detail::kKind<T>;
  if constexpr (kind == Kind::kTensor) {
    const auto sizes = value.shape().sizes();
    return {{"kind", "tensor"},
            {"dtype", name(value.dtype())},
            {"shape", std::vector<std::int64_t>(sizes.begin(), sizes.end())},
            {"values", values_of(value)}};
  } else if constexpr (kind == Kind::kNumber) {
    constexpr auto text = std::is_same_v<T, bool> ? "bool"
                          : std::is_integral_v<T> ? "int"
                                                  : "float";
    return {{"kind", text}, {"values", number_text(value)}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"kind", "str"}, {"values", value}};
  } else if constexpr (kind == Kind::kText) {
    std::string text;
    for (const std::byte byte : value) {
      text += static_cast<char>(byte);
    }
    return {{"kind", "bytes"}, {"values", text}};
  } else if constexpr (kind == Kind::kOptional) {
    return value.has_value() ? described(*value) : json{{"kind", "none"}};
  } else if constexpr (kind == Kind::kMap) {
    json items = json::object();
    for (const auto& [key, element] : value) {
      const json text = key;
      items[text.is_string() ? text.get<std::string>() : text.dump()] = described(element);
    }
    return {{"kind", "dict"}, {"items", items}};
  } else if constexpr (kind == Kind::kRecord) {
    json items = json::array();
    std::apply([&](const auto&... parts) { (items.push_back(described(parts)), ...); },
               detail::fields_of(value));
    return {{"kind", "list"}, {"items", items}};
  } else {
    return {{"kind", "list"}, {"items", described_each(value)}};
  }
}

/// Whether `seen` is what was recorded: structure, dtypes, shapes and values. Tuples and named
/// tuples are lists, and so is a dict that is an aggregate here, by its values in the order of its
/// names.
inline bool is_as_recorded(const json& seen, const json& recorded) {
  if (!recorded.contains("items")) {
    for (const char* key : {"kind", "dtype", "shape", "values"}) {
      if (recorded.contains(key) && seen.value(key, json()) != recorded.at(key)) {
        return false;
      }
    }
    return true;
  }
  const json& left = seen.value("items", json());
  const json& right = recorded.at("items");
  const bool is_list = left.is_array();
  if (left.size() != right.size() || (right.is_array() && !is_list)) {
    return false;
  }
  auto item = left.items().begin();
  for (const auto& wanted : right.items()) {
    if ((!is_list && item.key() != wanted.key()) || !is_as_recorded(item.value(), wanted.value())) {
      return false;
    }
    ++item;
  }
  return true;
}

/// The numbers of nested lists in order.
inline void flatten(const json& values, std::vector<json>& numbers) {
  if (!values.is_array()) {
    numbers.push_back(values);
    return;
  }
  for (const json& value : values) {
    flatten(value, numbers);
  }
}

template <Number T>
T number_of(const json& value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(value.get<float>());
  } else if constexpr (std::is_same_v<T, bool>) {
    return value == json(true) || value == json(1);
  } else {
    return value.get<T>();
  }
}

/// A tensor, an array of NumPy, or a number as a tensor without dimensions; zeros without values.
inline Tensor tensor_of(const json& recorded) {
  const std::string of_number = recorded.at("kind") == "int" ? "int64" : "float64";
  const DType dtype = dtype_named(recorded.value("dtype", of_number));
  const auto sizes = recorded.value("shape", std::vector<std::int64_t>());
  Tensor tensor = Tensor::zeros(Shape(sizes), dtype);
  if (recorded.contains("values")) {
    std::vector<json> numbers;
    flatten(recorded.at("values"), numbers);
    with_element_of(dtype, [&](auto element) {
      const auto data = tensor.data<decltype(element)>();
      for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = number_of<decltype(element)>(numbers.at(i));
      }
    });
  }
  return tensor;
}

template <class T>
T made(const json& recorded);

template <class T, std::size_t... I>
T made_record(const json& items, std::index_sequence<I...> /*unused*/) {
  std::vector<json> parts(items.begin(), items.end());
  return T{made<detail::FieldAt<T, I>>(parts.at(I))...};
}

/// The sample that golden.json describes, as a T.
template <class T>
T made(const json& recorded) {
  using detail::Kind;
  constexpr Kind kind = detail::kKind<T>;
  if constexpr (kind == Kind::kTensor) {
    return tensor_of(recorded);
  } else if constexpr (kind == Kind::kNumber) {
    return number_of<T>(recorded.at("values"));
  } else if constexpr (kind == Kind::kText) {
    T text;
    for (const char character : recorded.at("values").get<std::string>()) {
      text.push_back(static_cast<typename T::value_type>(character));
    }
    return text;
  } else if constexpr (kind == Kind::kOptional) {
    return recorded.at("kind") == "none" ? T() : T(made<typename T::value_type>(recorded));
  } else if constexpr (kind == Kind::kMap) {
    T map;
    for (const auto& [key, value] : recorded.at("items").items()) {
      if constexpr (std::is_same_v<typename T::key_type, std::string>) {
        map.emplace(key, made<typename T::mapped_type>(value));
      } else {
        const json number = json::parse(key);
        map.emplace(number_of<typename T::key_type>(number), made<typename T::mapped_type>(value));
      }
    }
    return map;
  } else if constexpr (kind == Kind::kRecord) {
    return made_record<T>(recorded.at("items"), std::make_index_sequence<detail::kNumParts<T>>());
  } else {
    T list;
    for (const json& item : recorded.at("items")) {
      list.push_back(made<typename T::value_type>(item));
    }
    return list;
  }
}

}  // namespace forklift::test
