// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <forklift/detail/dataset_checks.hpp>
#include <forklift/tensor_adapter.hpp>

namespace forklift {

/// Tensors of one first size: sample i is the tuple of their rows i.
///
/// Shapes: [n, ...] each, the rest as it likes; a row is [...], a scalar for a tensor [n].
/// Owner:  holds handles; rows share the memory of the tensors. Fork: the elements are shared with
///         the workers as they are, only the reference counts are written.
/// Thread: any number at once.
/// Errors: InvalidOptions when it is made of tensors that differ in their first size, or of a
///         scalar; of get() for an index out of range. TensorError for a torch::Tensor that cannot
///         travel.
/// Source: PyTorch 2.15 torch/utils/data/dataset.py, TensorDataset.
template <class... T>
class TensorDataset {
  static_assert(sizeof...(T) > 0, "Forklift: a TensorDataset needs at least one tensor");
  static_assert((TensorAdapter<T>::kIsTensor && ...),
                "Forklift: a TensorDataset is made of forklift::Tensor; for torch::Tensor include "
                "<forklift/torch.hpp>");

 public:
  using Sample = std::tuple<T...>;

  explicit TensorDataset(T... tensors)
      : tensors_(std::move(tensors)...),
        size_(std::apply(
            [](const auto&... tensor) {
              return detail::common_size("tensors",
                                         std::array<std::size_t, sizeof...(T)>{rows_of(tensor)...});
            },
            tensors_)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  [[nodiscard]] Sample get(std::size_t index) const {
    if (index >= size_) [[unlikely]] {
      detail::throw_index_out_of_range("TensorDataset", index, size_);
    }
    return std::apply(
        [&](const auto&... tensor) {
          return Sample{TensorAdapter<T>::row(tensor, static_cast<std::int64_t>(index))...};
        },
        tensors_);
  }

  [[nodiscard]] const std::tuple<T...>& tensors() const noexcept { return tensors_; }

 private:
  template <class Tensor>
  static std::size_t rows_of(const Tensor& tensor) {
    if constexpr (TensorAdapter<Tensor>::kIsTensor) {
      const auto sizes = TensorAdapter<Tensor>::view(tensor).sizes;
      if (sizes.empty()) {
        detail::throw_tensor_without_rows();
      }
      return static_cast<std::size_t>(sizes.front());
    } else {
      return 0;  // the message above is enough
    }
  }

  std::tuple<T...> tensors_;
  std::size_t size_;
};

}  // namespace forklift
