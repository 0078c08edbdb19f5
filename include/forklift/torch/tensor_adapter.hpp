// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

#include <forklift/error.hpp>
#include <forklift/tensor_adapter.hpp>
#include <forklift/torch/fork_hooks.hpp>

namespace forklift {

namespace detail {

/// libtorch has unsigned types of more than 8 bits since 2.3.
template <class ScalarType>
constexpr std::optional<ScalarType> wide_unsigned(DType dtype) {
  if constexpr (requires { ScalarType::UInt16; }) {
    switch (dtype) {
      case DType::u16:
        return ScalarType::UInt16;
      case DType::u32:
        return ScalarType::UInt32;
      case DType::u64:
        return ScalarType::UInt64;
      default:
        return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
}

constexpr std::optional<at::ScalarType> to_scalar_type(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return at::ScalarType::Bool;
    case DType::u8:
      return at::ScalarType::Byte;
    case DType::i8:
      return at::ScalarType::Char;
    case DType::i16:
      return at::ScalarType::Short;
    case DType::i32:
      return at::ScalarType::Int;
    case DType::i64:
      return at::ScalarType::Long;
    case DType::f16:
      return at::ScalarType::Half;
    case DType::bf16:
      return at::ScalarType::BFloat16;
    case DType::f32:
      return at::ScalarType::Float;
    case DType::f64:
      return at::ScalarType::Double;
    default:
      return wide_unsigned<at::ScalarType>(dtype);
  }
}

/// Errors: TensorError for types that Forklift does not carry (complex, quantised).
inline DType to_dtype(at::ScalarType type) {
  for (std::uint8_t number = 0; number < kDTypeCount; ++number) {
    if (to_scalar_type(static_cast<DType>(number)) == type) {
      return static_cast<DType>(number);
    }
  }
  throw TensorError(std::string("a torch::Tensor of type ") + c10::toString(type) +
                    " cannot travel: convert it in the dataset");
}

}  // namespace detail

/// torch::Tensor in samples and batches. Batches are tensors over the slot of the ring: no copy,
/// and the slot goes back when the last tensor or view of it is gone.
///
/// Shapes: any, strided or not; rows are written contiguously.
/// Thread: a batch may be dropped on any thread.
/// Errors: TensorError for tensors on a device, sparse, complex or quantised ones, and those that
/// require grad.
template <>
struct TensorAdapter<at::Tensor> {
  static constexpr bool kIsTensor = true;
  static constexpr bool kForeign = true;

  [[nodiscard]] static TensorView view(const at::Tensor& tensor) {
    if (!tensor.defined() || tensor.layout() != at::kStrided || !tensor.device().is_cpu() ||
        tensor.requires_grad()) {
      throw_not_plain(tensor);
    }
    const bool in_one_piece = tensor.is_contiguous() && !tensor.is_neg();
    const auto sizes = tensor.sizes();
    return {in_one_piece ? static_cast<const std::byte*>(tensor.data_ptr()) : nullptr,
            detail::to_dtype(tensor.scalar_type()),
            {sizes.data(), sizes.size()}};
  }

  static void copy(const at::Tensor& tensor, std::byte* to) {
    const at::Tensor whole = tensor.resolve_neg().contiguous();
    std::memcpy(to, whole.data_ptr(), whole.nbytes());
  }

  [[nodiscard]] static at::Tensor wrap(std::byte* elements,
                                       const Shape& shape,
                                       DType dtype,
                                       std::shared_ptr<const void> owner) {
    const auto type = detail::to_scalar_type(dtype);
    if (!type.has_value()) {
      throw TensorError("this libtorch has no type " + std::string(name(dtype)) +
                        ": convert it in the dataset");
    }
    const auto sizes = shape.sizes();
    // The deleter does nothing but hold the owner until the storage, and with it every view, is
    // gone.
    return at::from_blob(
        elements,
        at::IntArrayRef(sizes.data(), sizes.size()),
        [owner = std::move(owner)](void* /*elements*/) {},
        at::TensorOptions(*type));
  }

  [[nodiscard]] static at::Tensor row(const at::Tensor& tensor, std::int64_t index) {
    return tensor.select(0, index);
  }

  [[nodiscard]] static detail::LibraryHooks hooks() noexcept { return detail::torch_hooks(); }

 private:
  [[noreturn]] static void throw_not_plain(const at::Tensor& tensor) {
    if (!tensor.defined()) {
      throw TensorError("an undefined torch::Tensor cannot travel");
    }
    if (tensor.requires_grad()) {
      throw TensorError(
          "a torch::Tensor that requires grad cannot travel from a worker: call detach() in the "
          "dataset");
    }
    throw TensorError("only dense torch::Tensor in host memory can travel, this one is on " +
                      tensor.device().str() + ": move it to the device after the loader");
  }
};

}  // namespace forklift
