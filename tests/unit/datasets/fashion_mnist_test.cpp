// SPDX-License-Identifier: MIT
#include "forklift/datasets/fashion_mnist.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "forklift/error.hpp"
#include "forklift/shape.hpp"
#include "forklift/tensor.hpp"
#include "unit/datasets/idx_files.hpp"

namespace forklift {
namespace {

using datasets::FashionMnist;
using test::gzipped;
using test::idx_bytes;
using test::TemporaryFolder;
using test::write_file;

constexpr std::uint8_t kU8 = 0x08;
constexpr std::size_t kPixels = std::size_t{28} * 28;

// Images of one value each: sample i is all i.
std::string images_of(std::uint32_t count) {
  std::string data;
  for (std::uint32_t index = 0; index < count; ++index) {
    data.append(kPixels, static_cast<char>(index));
  }
  return idx_bytes(kU8, {count, 28, 28}, data);
}

// A folder with a training set of `images` and `labels`, not gzipped.
void write_set(const TemporaryFolder& folder,
               const std::string& images,
               const std::string& labels) {
  write_file(folder.path() / "train-images-idx3-ubyte", images);
  write_file(folder.path() / "train-labels-idx1-ubyte", labels);
}

TEST(FashionMnist, pairs_each_image_with_its_label) {
  const TemporaryFolder folder;
  write_set(folder, images_of(3), idx_bytes(kU8, {3}, std::string("\x09\0\x05", 3)));

  const FashionMnist set(folder.path());

  ASSERT_EQ(set.size(), 3U);
  EXPECT_EQ(set.get(0).label, 9);
  EXPECT_EQ(set.get(2).label, 5);
  EXPECT_EQ(set.get(2).image.shape(), Shape({1, 28, 28}));
  EXPECT_EQ(set.get(2).image.data<std::uint8_t>()[kPixels - 1], 2);
  EXPECT_EQ(set.images().shape(), Shape({3, 28, 28}));
  EXPECT_EQ(set.labels().shape(), Shape({3}));
}

TEST(FashionMnist, hands_out_views_of_one_memory) {
  const TemporaryFolder folder;
  write_set(folder, images_of(2), idx_bytes(kU8, {2}, "\x01\x02"));
  const FashionMnist set(folder.path());

  const Tensor image = set.get(1).image;

  EXPECT_EQ(image.bytes().data(), set.images().bytes().data() + kPixels);
}

TEST(FashionMnist, keeps_an_image_alive_after_the_set_is_gone) {
  const TemporaryFolder folder;
  write_set(folder, images_of(2), idx_bytes(kU8, {2}, "\x01\x02"));

  const auto sample = FashionMnist(folder.path()).get(1);

  EXPECT_EQ(sample.image.data<std::uint8_t>()[0], 1);
}

TEST(FashionMnist, reads_the_test_split_from_gzipped_files) {
  const TemporaryFolder folder;
  write_file(folder.path() / "t10k-images-idx3-ubyte.gz", gzipped(images_of(2)));
  write_file(folder.path() / "t10k-labels-idx1-ubyte.gz", gzipped(idx_bytes(kU8, {2}, "\x01\x02")));

  const FashionMnist set(folder.path(), FashionMnist::Split::test);

  EXPECT_EQ(set.size(), 2U);
  EXPECT_EQ(set.get(1).label, 2);
}

TEST(FashionMnist, names_the_file_that_is_missing) {
  const TemporaryFolder folder;

  try {
    const FashionMnist set(folder.path());
    FAIL() << "no error";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.operation(), "open");
    EXPECT_EQ(error.code(), ENOENT);
    EXPECT_EQ(error.object(), (folder.path() / "train-images-idx3-ubyte.gz").string());
  }
}

TEST(FashionMnist, refuses_counts_that_disagree) {
  const TemporaryFolder folder;
  write_set(folder, images_of(3), idx_bytes(kU8, {2}, "\x01\x02"));

  try {
    const FashionMnist set(folder.path());
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(error.file(), (folder.path() / "train-labels-idx1-ubyte").string());
    EXPECT_EQ(error.offset(), 4U);
    EXPECT_NE(error.expected().find("3 labels, one for each image"), std::string::npos);
    EXPECT_EQ(error.found(), "2");
  }
}

TEST(FashionMnist, refuses_images_of_another_size_and_labels_of_another_shape) {
  const TemporaryFolder folder;
  const std::string labels = idx_bytes(kU8, {1}, "\x01");

  write_set(folder, idx_bytes(kU8, {1, 2, 2}, "abcd"), labels);
  EXPECT_THROW(FashionMnist(folder.path()), DataError);
  write_set(folder, labels, labels);
  EXPECT_THROW(FashionMnist(folder.path()), DataError);
  write_set(folder, images_of(1), idx_bytes(kU8, {1, 1}, "\x01"));
  EXPECT_THROW(FashionMnist(folder.path()), DataError);
}

TEST(FashionMnist, refuses_a_label_above_nine_and_says_where_it_is) {
  const TemporaryFolder folder;
  write_set(folder, images_of(3), idx_bytes(kU8, {3}, "\x01\x0A\x02"));

  try {
    const FashionMnist set(folder.path());
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_EQ(error.offset(), 9U);
    EXPECT_EQ(error.found(), "10");
  }
}

TEST(FashionMnist, refuses_an_index_past_the_end) {
  const TemporaryFolder folder;
  write_set(folder, images_of(1), idx_bytes(kU8, {1}, "\x01"));
  const FashionMnist set(folder.path());

  EXPECT_THROW(static_cast<void>(set.get(1)), TensorError);
  EXPECT_THROW(static_cast<void>(set.get(static_cast<std::size_t>(-1))), TensorError);
}

// Skipped where Debian's package is not installed.
TEST(FashionMnist, reads_the_files_of_the_package) {
  if (!std::filesystem::exists(FashionMnist::kDebianFolder)) {
    GTEST_SKIP() << FashionMnist::kDebianFolder << " is not there";
  }

  const FashionMnist train;
  const FashionMnist test(FashionMnist::kDebianFolder, FashionMnist::Split::test);

  EXPECT_EQ(train.size(), 60000U);
  EXPECT_EQ(test.size(), 10000U);
  EXPECT_EQ(train.get(0).label, 9);  // the first training image is an ankle boot
}

}  // namespace
}  // namespace forklift
