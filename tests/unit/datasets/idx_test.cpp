// SPDX-License-Identifier: MIT
#include "forklift/datasets/idx.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "forklift/dtype.hpp"
#include "forklift/error.hpp"
#include "forklift/shape.hpp"
#include "forklift/tensor.hpp"
#include "unit/datasets/idx_files.hpp"

namespace forklift {
namespace {

using datasets::read_idx;
using test::gzipped;
using test::idx_bytes;
using test::TemporaryFolder;
using test::write_file;

constexpr std::uint8_t kU8 = 0x08;

std::vector<std::uint8_t> values_of(const Tensor& tensor) {
  const auto values = tensor.data<std::uint8_t>();
  return {values.begin(), values.end()};
}

// The DataError that reading a file of these bytes gives; empty when there is none.
std::optional<DataError> error_for(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto file = write_file(folder.path() / "array", bytes);
  try {
    static_cast<void>(read_idx(file));
  } catch (const DataError& error) {
    EXPECT_EQ(error.file(), file.string());
    return error;
  }
  return std::nullopt;
}

void expect_error(const std::string& bytes,
                  std::uint64_t offset,
                  const std::string& expected,
                  const std::string& found) {
  const auto error = error_for(bytes);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->offset(), offset) << error->what();
  EXPECT_NE(error->expected().find(expected), std::string::npos) << error->what();
  EXPECT_NE(error->found().find(found), std::string::npos) << error->what();
}

TEST(ReadIdx, reads_bytes_in_their_shape) {
  const TemporaryFolder folder;
  const auto file = write_file(folder.path() / "array", idx_bytes(kU8, {2, 3}, "abcdef"));

  const Tensor array = read_idx(file);

  EXPECT_EQ(array.shape(), Shape({2, 3}));
  EXPECT_EQ(values_of(array), (std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f'}));
}

TEST(ReadIdx, tells_a_gzipped_file_by_its_bytes_and_not_by_its_name) {
  const TemporaryFolder folder;
  const std::string bytes = idx_bytes(kU8, {4}, "wxyz");
  const auto packed = write_file(folder.path() / "packed", gzipped(bytes));
  const auto plain = write_file(folder.path() / "plain.gz", bytes);

  EXPECT_EQ(values_of(read_idx(packed)), (std::vector<std::uint8_t>{'w', 'x', 'y', 'z'}));
  EXPECT_EQ(values_of(read_idx(plain)), (std::vector<std::uint8_t>{'w', 'x', 'y', 'z'}));
}

TEST(ReadIdx, reads_arrays_longer_than_one_piece) {
  const TemporaryFolder folder;
  std::string data((std::size_t{5} << 20U) + 7, '\0');
  for (std::size_t at = 0; at < data.size(); ++at) {
    data[at] = static_cast<char>(at * 31 % 251);
  }
  const std::string bytes = idx_bytes(kU8, {static_cast<std::uint32_t>(data.size())}, data);
  const std::vector<std::uint8_t> wanted(data.begin(), data.end());

  EXPECT_EQ(values_of(read_idx(write_file(folder.path() / "plain", bytes))), wanted);
  EXPECT_EQ(values_of(read_idx(write_file(folder.path() / "packed", gzipped(bytes)))), wanted);
}

TEST(ReadIdx, reads_zeros_that_gzip_packs_best) {
  const TemporaryFolder folder;
  const std::string data(std::size_t{8} << 20U, '\0');
  const std::string bytes = idx_bytes(kU8, {8U << 20U}, data);

  const Tensor array = read_idx(write_file(folder.path() / "zeros", gzipped(bytes)));

  EXPECT_EQ(array.numel(), 8 << 20);
}

TEST(ReadIdx, swaps_wide_elements_to_the_order_of_the_machine) {
  const TemporaryFolder folder;
  const auto read = [&](std::uint8_t type, const std::string& data) {
    return read_idx(write_file(folder.path() / "array", idx_bytes(type, {1}, data)));
  };

  EXPECT_EQ(read(0x09, "\xFE").item<std::int8_t>(), -2);
  EXPECT_EQ(read(0x0B, std::string("\xFF\x01", 2)).item<std::int16_t>(), -255);
  EXPECT_EQ(read(0x0C, std::string("\x01\x02\x03\x04", 4)).item<std::int32_t>(), 0x01020304);
  EXPECT_EQ(read(0x0D, std::string("\x3F\xC0\0\0", 4)).item<float>(), 1.5F);
  EXPECT_EQ(read(0x0E, std::string("\xC0\x04\0\0\0\0\0\0", 8)).item<double>(), -2.5);
}

TEST(ReadIdx, reads_an_array_without_rows) {
  const TemporaryFolder folder;
  const auto file = write_file(folder.path() / "array", idx_bytes(kU8, {0, 28, 28}, ""));

  EXPECT_EQ(read_idx(file).shape(), Shape({0, 28, 28}));
}

TEST(ReadIdx, names_the_call_and_the_path_of_a_missing_file) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "nothing";

  try {
    static_cast<void>(read_idx(file));
    FAIL() << "no error";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.operation(), "open");
    EXPECT_EQ(error.object(), file.string());
    EXPECT_EQ(error.code(), ENOENT);
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
  }
}

TEST(ReadIdx, refuses_a_wrong_magic_number) {
  expect_error("\x89PNG\r\n", 0, "idx magic number", "89 50 4e 47");
}

TEST(ReadIdx, refuses_an_unknown_element_type) {
  expect_error(idx_bytes(0x0A, {1}, "a"), 2, "element type", "0a");
}

TEST(ReadIdx, refuses_no_dimensions_and_too_many) {
  expect_error(idx_bytes(kU8, {}, "a"), 3, "1 to 16 dimensions", "0");
  expect_error(std::string("\0\0\x08\x11", 4), 3, "1 to 16 dimensions", "17");
}

TEST(ReadIdx, refuses_an_empty_file) {
  expect_error("", 0, "magic", "after 0 of 4 bytes");
}

TEST(ReadIdx, refuses_a_file_that_ends_in_its_header) {
  expect_error(std::string("\0\0\x08", 3), 3, "magic", "after 3 of 4 bytes");
  expect_error(
      std::string("\0\0\x08\x02\0\0\0\x02\0", 9), 9, "sizes of 2 dimensions", "after 1 of 4");
}

TEST(ReadIdx, refuses_a_file_that_ends_in_its_elements) {
  const std::string whole = idx_bytes(kU8, {2, 3}, "abcdef");

  expect_error(
      whole.substr(0, whole.size() - 1), 17, "[2, 3] elements of uint8", "after 5 of 6 bytes");
  expect_error(gzipped(whole.substr(0, whole.size() - 1)), 17, "[2, 3]", "after 5 of 6 bytes");
}

TEST(ReadIdx, refuses_a_gzip_stream_that_was_cut_off) {
  std::string data;
  for (std::uint32_t at = 0, state = 1; at < 100000; ++at) {
    state = state * 1664525U + 1013904223U;
    data.push_back(static_cast<char>(state >> 24U));
  }
  const std::string packed = gzipped(idx_bytes(kU8, {100000}, data));

  for (const std::size_t kept :
       {std::size_t{2}, std::size_t{9}, packed.size() / 2, packed.size() - 9, packed.size() - 1}) {
    const auto error = error_for(packed.substr(0, kept));
    ASSERT_TRUE(error.has_value()) << kept;
    EXPECT_EQ(error->expected(), "the rest of the gzip stream") << kept;
    EXPECT_LE(error->offset(), data.size() + 8) << kept;
  }
}

TEST(ReadIdx, refuses_a_damaged_gzip_stream) {
  const std::string packed = gzipped(idx_bytes(kU8, {6}, "abcdef"));
  std::string method = packed;
  method[2] = 7;
  std::string checksum = packed;
  checksum[packed.size() - 8] = static_cast<char>(checksum[packed.size() - 8] ^ 1);
  std::string body = packed;
  body[10] = static_cast<char>(0xFF);

  for (const std::string& bytes : {method, checksum, body}) {
    const auto error = error_for(bytes);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->expected(), "a sound gzip stream") << error->what();
  }
}

TEST(ReadIdx, refuses_bytes_behind_the_elements) {
  const std::string longer = idx_bytes(kU8, {2}, "ab!");

  expect_error(longer, 10, "the end of the file behind [2] elements", "more bytes");
  expect_error(gzipped(longer), 10, "the end of the file behind [2] elements", "more bytes");
}

TEST(ReadIdx, refuses_bytes_behind_the_gzip_stream) {
  expect_error(gzipped(idx_bytes(kU8, {2}, "ab")) + "junk", 10, "a sound gzip stream", "header");
}

TEST(ReadIdx, reads_a_stream_of_several_gzip_members) {
  const TemporaryFolder folder;
  const std::string bytes = idx_bytes(kU8, {4}, "wxyz");
  const auto file =
      write_file(folder.path() / "packed",
                 gzipped(bytes.substr(0, 3)) + gzipped("") + gzipped(bytes.substr(3)));

  EXPECT_EQ(values_of(read_idx(file)), (std::vector<std::uint8_t>{'w', 'x', 'y', 'z'}));
}

TEST(ReadIdx, refuses_sizes_that_the_file_cannot_hold_before_it_asks_for_memory) {
  constexpr std::uint32_t kMost = 0xFFFFFFFFU;
  const std::string huge = idx_bytes(kU8, {kMost, 2}, "ab");
  const std::string overflow = idx_bytes(kU8, {kMost, kMost, kMost}, "ab");
  const std::string hidden = idx_bytes(kU8, {0, kMost, kMost, kMost}, "");

  for (const std::string& bytes : {huge, overflow, hidden, gzipped(huge), gzipped(overflow)}) {
    const auto error = error_for(bytes);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->offset(), 4U) << error->what();
    EXPECT_NE(error->expected().find("can hold"), std::string::npos) << error->what();
    EXPECT_NE(error->found().find("4294967295"), std::string::npos) << error->what();
  }
}

TEST(ReadIdx, refuses_a_folder_and_a_named_pipe_without_waiting) {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);

  EXPECT_THROW(static_cast<void>(read_idx(folder.path())), DataError);
  EXPECT_THROW(static_cast<void>(read_idx(pipe)), DataError);
}

TEST(ReadIdx, leaves_no_descriptor_open) {
  const TemporaryFolder folder;
  const auto good = write_file(folder.path() / "good", idx_bytes(kU8, {1}, "a"));
  const auto bad = write_file(folder.path() / "bad", gzipped(idx_bytes(kU8, {2}, "a")));
  const int before = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(before, 0);
  ::close(before);

  static_cast<void>(read_idx(good));
  EXPECT_THROW(static_cast<void>(read_idx(bad)), DataError);
  EXPECT_THROW(static_cast<void>(read_idx(folder.path())), DataError);

  const int after = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(after, before);
  ::close(after);
}

}  // namespace
}  // namespace forklift
