// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <forklift/detail/batch_reader.hpp>
#include <forklift/detail/leaf.hpp>
#include <forklift/tensor_adapter.hpp>

/// Slot -> batch: typed views over the payload, all sharing one lease. The mirror of pack and of
/// the columns.
namespace forklift::detail {

// The least number of meta bytes that a part takes, never 0; bounds counts that a worker wrote.
template <class T>
consteval std::size_t least_bytes();

template <class T, std::size_t... I>
consteval std::size_t least_bytes_of_parts(std::index_sequence<I...> /*unused*/) {
  return (least_bytes<FieldAt<T, I>>() + ...);
}

template <class T>
consteval std::size_t least_bytes() {
  constexpr Kind kind = kKind<T>;
  if constexpr (kind == Kind::kTensor) {
    return 2 + sizeof(std::uint64_t);
  } else if constexpr (kind == Kind::kNumber) {
    return sizeof(T);
  } else if constexpr (kind == Kind::kOptional) {
    return 1;
  } else if constexpr (kind == Kind::kRecord) {
    return least_bytes_of_parts<T>(std::make_index_sequence<kNumParts<T>>());
  } else {
    return sizeof(std::uint64_t);
  }
}

template <class T>
T unpack(BatchReader& in);

template <class T>
T unpack_list(BatchReader& in) {
  using Element = typename ListTraits<T>::Element;
  T out{};
  if constexpr (requires { out.push_back(std::declval<Element>()); }) {
    const std::size_t count = in.take_count(least_bytes<Element>());
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back(unpack<Element>(in));
    }
  } else {
    in.expect_count(out.size());
    for (Element& element : out) {
      element = unpack<Element>(in);
    }
  }
  return out;
}

template <class T>
T unpack_map(BatchReader& in) {
  T out;
  const std::size_t count = in.take_count(least_bytes<typename T::key_type>());
  for (std::size_t i = 0; i < count; ++i) {
    auto key = unpack<typename T::key_type>(in);
    out.emplace(std::move(key), unpack<typename T::mapped_type>(in));
  }
  return out;
}

template <class T, std::size_t... I>
T unpack_record(BatchReader& in, std::index_sequence<I...> /*unused*/) {
  return T{unpack<FieldAt<T, I>>(in)...};  // a braced list is evaluated from left to right
}

/// Reads one part of a batch, recursively.
template <class T>
T unpack(BatchReader& in) {
  constexpr Kind kind = kKind<T>;
  if constexpr (kind == Kind::kTensor) {
    const TensorRecord record = in.take_tensor();
    return TensorAdapter<T>::wrap(in.at(record.offset), record.shape, record.dtype, in.owner());
  } else if constexpr (std::is_same_v<T, bool>) {
    return in.take<std::uint8_t>() != 0;  // another value in a bool would be undefined behaviour
  } else if constexpr (kind == Kind::kNumber) {
    return in.take<T>();
  } else if constexpr (kind == Kind::kText) {
    T out;
    out.resize(in.take_count(1));
    in.take_bytes(out.data(), out.size());
    return out;
  } else if constexpr (kind == Kind::kNumberList || kind == Kind::kSequence) {
    return unpack_list<T>(in);
  } else if constexpr (kind == Kind::kOptional) {
    return in.take<std::uint8_t>() != 0 ? T(unpack<typename T::value_type>(in)) : T();
  } else if constexpr (kind == Kind::kMap) {
    return unpack_map<T>(in);
  } else if constexpr (kind == Kind::kRecord) {
    return unpack_record<T>(in, std::make_index_sequence<kNumParts<T>>());
  }
}

}  // namespace forklift::detail
