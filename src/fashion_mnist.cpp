// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include <forklift/datasets/fashion_mnist.hpp>
#include <forklift/datasets/idx.hpp>
#include <forklift/dtype.hpp>
#include <forklift/error.hpp>
#include <forklift/shape.hpp>

namespace forklift::datasets {
namespace {

constexpr std::int64_t kSide = 28;
constexpr std::uint8_t kLabels = 10;

// The plain file where it exists, else the gzipped one: its name is then in the error when neither
// can be opened.
std::filesystem::path pick(const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::path plain = folder / name;
  std::error_code ignored;  // a file that cannot be looked at cannot be opened either
  return std::filesystem::exists(plain, ignored) ? plain : folder / (name + ".gz");
}

Tensor read_images(const std::filesystem::path& file) {
  const Tensor images = read_idx(file);
  const bool fits = images.dtype() == DType::u8 && images.dim() == 3 && images.size(1) == kSide &&
                    images.size(2) == kSide;
  if (!fits) {
    throw DataError(file.string(),
                    0,
                    fmt::format("images of uint8 and shape [n, {0}, {0}]", kSide),
                    fmt::format("{} of shape {}", name(images.dtype()), images.shape().text()));
  }
  return images.reshape({images.size(0), 1, kSide, kSide});
}

Tensor read_labels(const std::filesystem::path& file) {
  Tensor labels = read_idx(file);
  if (labels.dtype() != DType::u8 || labels.dim() != 1) {
    throw DataError(file.string(),
                    0,
                    "labels of uint8 and shape [n]",
                    fmt::format("{} of shape {}", name(labels.dtype()), labels.shape().text()));
  }
  const auto values = labels.data<const std::uint8_t>();
  const auto bad =
      std::ranges::find_if(values, [](std::uint8_t value) { return value >= kLabels; });
  if (bad != values.end()) {
    constexpr std::uint64_t kHeaderBytes = 8;
    throw DataError(file.string(),
                    kHeaderBytes + static_cast<std::uint64_t>(bad - values.begin()),
                    fmt::format("a label from 0 to {}", kLabels - 1),
                    std::to_string(*bad));
  }
  return labels;
}

}  // namespace

FashionMnist::FashionMnist(const std::filesystem::path& folder, Split split) {
  const std::string prefix = split == Split::train ? "train" : "t10k";
  const auto images_file = pick(folder, prefix + "-images-idx3-ubyte");
  const auto labels_file = pick(folder, prefix + "-labels-idx1-ubyte");
  images_ = read_images(images_file);
  labels_ = read_labels(labels_file);
  if (images_.size(0) != labels_.size(0)) {
    constexpr std::uint64_t kCountOffset = 4;
    throw DataError(
        labels_file.string(),
        kCountOffset,
        fmt::format("{} labels, one for each image in '{}'", images_.size(0), images_file.string()),
        std::to_string(labels_.size(0)));
  }
}

FashionMnist::Sample FashionMnist::get(std::size_t index) const {
  return {images_.row(static_cast<std::int64_t>(index)), labels_.data<const std::uint8_t>()[index]};
}

Tensor FashionMnist::images() const {
  return images_.reshape({images_.size(0), kSide, kSide});
}

}  // namespace forklift::datasets
