// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <forklift/tensor.hpp>

namespace forklift::datasets {

/// Fashion-MNIST in memory, as a map-style dataset; any set of that format (MNIST too) will do.
///
/// Thread: any number at once, nothing changes after construction. Fork: the pixels are shared with
/// the workers as they are; only the reference count of the tensors is written.
class FashionMnist {
 public:
  enum class Split : std::uint8_t {
    train,  ///< 60,000 samples
    test,   ///< 10,000 samples
  };

  /// `image` is u8 [1, 28, 28] and shares the memory of the set; `label` is 0 to 9.
  struct Sample {
    Tensor image;
    std::int64_t label;
  };

  /// Where Debian's package dataset-fashion-mnist puts the files.
  static constexpr const char* kDebianFolder = "/usr/share/datasets/fashion-mnist";

  /// Reads `train-images-idx3-ubyte` and `train-labels-idx1-ubyte` (`t10k-...` for the test split)
  /// in `folder`; where there is no such file, the one with `.gz` added.
  /// Errors: those of read_idx; DataError when images and labels differ in number, images are not
  ///         28 x 28 bytes, or a label is above 9.
  explicit FashionMnist(const std::filesystem::path& folder = kDebianFolder,
                        Split split = Split::train);

  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(labels_.numel());
  }
  /// Errors: TensorError for an index that is not below size().
  [[nodiscard]] Sample get(std::size_t index) const;

  /// u8 [n, 28, 28], sharing the memory.
  [[nodiscard]] Tensor images() const;
  /// u8 [n], sharing the memory.
  [[nodiscard]] const Tensor& labels() const noexcept { return labels_; }

 private:
  Tensor images_;  // [n, 1, 28, 28]: a row is a sample's image as it is
  Tensor labels_;  // [n]
};

}  // namespace forklift::datasets
