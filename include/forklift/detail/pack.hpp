// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include <forklift/detail/leaf.hpp>
#include <forklift/detail/slot_cursor.hpp>
#include <forklift/shape.hpp>
#include <forklift/tensor_adapter.hpp>

/// Batch -> slot, for batches that a collate_fn returns. Tensors that already lie in the slot are
/// not copied.
namespace forklift::detail {

template <class T>
void copy_elements(const T& tensor, const TensorView& view, std::byte* to, std::uint64_t bytes) {
  if (view.elements != nullptr) {
    std::memcpy(to, view.elements, bytes);
  } else if constexpr (requires { TensorAdapter<T>::copy(tensor, to); }) {
    TensorAdapter<T>::copy(tensor, to);
  }
}

template <class T>
void pack_tensor(SlotCursor& out, const T& tensor) {
  const TensorView view = TensorAdapter<T>::view(tensor);
  const Shape shape(view.sizes);
  const std::uint64_t bytes = static_cast<std::uint64_t>(shape.numel()) * item_size(view.dtype);
  if (view.elements != nullptr && out.holds(view.elements, bytes)) {
    out.put_tensor(view.dtype, shape, static_cast<std::uint64_t>(view.elements - out.at(0)));
    return;
  }
  const std::uint64_t offset = out.allocate(bytes);
  if (bytes != 0) {
    copy_elements(tensor, view, out.at(offset), bytes);
  }
  out.put_tensor(view.dtype, shape, offset);
}

/// Writes one part of a batch, recursively. The order of the bytes follows from the type alone (see
/// unpack).
template <class T>
void pack(SlotCursor& out, const T& value) {
  static_assert(check_travels<T>());
  constexpr Kind kind = kKind<T>;
  if constexpr (kind == Kind::kTensor) {
    pack_tensor(out, value);
  } else if constexpr (kind == Kind::kNumber) {
    out.put(value);
  } else if constexpr (kind == Kind::kText) {
    out.put(static_cast<std::uint64_t>(value.size()));
    out.put_bytes(value.data(), value.size());
  } else if constexpr (kind == Kind::kNumberList || kind == Kind::kSequence) {
    out.put(static_cast<std::uint64_t>(value.size()));
    for (const auto& element : value) {  // const auto& also takes the values of std::vector<bool>
      pack<typename ListTraits<T>::Element>(out, element);
    }
  } else if constexpr (kind == Kind::kOptional) {
    out.put(static_cast<std::uint8_t>(value.has_value()));
    if (value.has_value()) {
      pack(out, *value);
    }
  } else if constexpr (kind == Kind::kMap) {
    out.put(static_cast<std::uint64_t>(value.size()));
    for (const auto& [key, element] : value) {
      pack(out, key);
      pack(out, element);
    }
  } else if constexpr (kind == Kind::kRecord) {  // for kRefused the message above is enough
    std::apply([&](const auto&... parts) { (pack(out, parts), ...); }, fields_of(value));
  }
}

}  // namespace forklift::detail
