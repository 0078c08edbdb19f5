// SPDX-License-Identifier: MIT
// Semantics 6.2.
#include "ipc/error_record.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/error.hpp>

namespace forklift::ipc {

// Outside of the unnamed namespace, so that its demangled name is short.
struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace {

struct NullWhat : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return nullptr; }
};

template <class E>
ErrorRecord described(E error) {
  return describe(std::make_exception_ptr(std::move(error)));
}

ErrorRecord full_record() {
  ErrorRecord record;
  record.type = "std::out_of_range";
  record.message = "no such row";
  record.stage = "open";
  record.position = 7;
  record.is_resource_error = true;
  record.object = "a batch";
  record.knob = "max_ring_bytes";
  record.needed = 1;
  record.available = UINT64_MAX;
  return record;
}

std::vector<std::byte> written(const ErrorRecord& record, std::size_t room = 8192) {
  std::vector<std::byte> bytes(room);
  bytes.resize(write_record(record, bytes));
  return bytes;
}

// Throws an exception in which `depth` others are nested.
[[noreturn]] void throw_nested(int depth) {
  if (depth == 0) {
    throw OwnError("innermost");
  }
  try {
    throw_nested(depth - 1);
  } catch (...) {
    std::throw_with_nested(std::runtime_error("level " + std::to_string(depth)));
  }
}

ErrorRecord described_nested(int depth) {
  try {
    throw_nested(depth);
  } catch (...) {
    return describe(std::current_exception());
  }
}

TEST(ErrorRecord, names_the_type_as_the_user_wrote_it) {
  EXPECT_EQ(described(std::out_of_range("m")).type, "std::out_of_range");
  EXPECT_EQ(described(OwnError("m")).type, "forklift::ipc::OwnError");
  EXPECT_EQ(described(OwnError("m")).message, "m");
}

TEST(ErrorRecord, describes_what_is_no_exception) {
  EXPECT_EQ(described(5).type, "int");
  EXPECT_EQ(described(5).message, "(not a std::exception)");
  EXPECT_EQ(described(std::string("text")).message, "(not a std::exception)");
}

TEST(ErrorRecord, survives_a_what_that_is_null) {
  EXPECT_EQ(described(NullWhat()).message, "(what() is null)");
}

TEST(ErrorRecord, tells_the_whole_chain_of_nested_exceptions) {
  const auto record = described_nested(2);

  EXPECT_NE(record.type.find("runtime_error"), std::string::npos);
  EXPECT_TRUE(record.message.starts_with("level 2; caused by ")) << record.message;
  EXPECT_TRUE(record.message.ends_with("; caused by forklift::ipc::OwnError: innermost"))
      << record.message;
}

TEST(ErrorRecord, stops_at_a_chain_without_end) {
  const auto record = described_nested(1000);

  EXPECT_LT(record.message.size(), 10'000U);
  EXPECT_NE(record.message.find("level 985"), std::string::npos);
}

TEST(ErrorRecord, keeps_the_numbers_of_a_resource_error) {
  const auto record = described(ResourceError("a batch", 100, 50, "max_ring_bytes"));

  EXPECT_TRUE(record.is_resource_error);
  EXPECT_EQ(record.object, "a batch");
  EXPECT_EQ(record.knob, "max_ring_bytes");
  EXPECT_EQ(record.needed, 100U);
  EXPECT_EQ(record.available, 50U);
  EXPECT_FALSE(described(OwnError("m")).is_resource_error);
}

TEST(ErrorRecord, is_read_as_it_was_written) {
  EXPECT_EQ(read_record(written(full_record())), full_record());
  EXPECT_EQ(read_record(written(ErrorRecord())), ErrorRecord());
}

TEST(ErrorRecord, keeps_a_message_with_any_bytes_whole) {
  ErrorRecord record = full_record();
  record.message = std::string(5000, 'x') + std::string("\0\n\xff", 3);

  EXPECT_EQ(read_record(written(record)), record);
}

TEST(ErrorRecord, says_that_a_message_was_cut) {
  ErrorRecord record = full_record();
  record.message = std::string(100'000, 'x');

  const auto bytes = written(record, 1000);
  const auto read = read_record(bytes);

  ASSERT_TRUE(read.has_value());
  EXPECT_LE(bytes.size(), 1000U);
  EXPECT_GT(read->message.size(), 500U);
  EXPECT_TRUE(read->message.ends_with("[cut: the message is longer than its slot]"));
  EXPECT_EQ(read->type, record.type);
}

TEST(ErrorRecord, cuts_other_texts_that_are_out_of_all_proportion) {
  ErrorRecord record = full_record();
  record.type = std::string(5000, 't');
  record.object = std::string(5000, 'o');

  const auto read = read_record(written(record));

  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->type, std::string(1024, 't'));
  EXPECT_EQ(read->object, std::string(1024, 'o'));
  EXPECT_EQ(read->message, record.message);
}

TEST(ErrorRecord, never_leaves_its_room_and_is_whole_or_nothing) {
  const ErrorRecord record = full_record();
  const std::size_t whole = written(record).size();
  for (std::size_t room = 0; room <= whole; ++room) {
    std::vector<std::byte> bytes(room + 8, std::byte{0x5A});

    const std::size_t used = write_record(record, std::span(bytes).first(room));

    ASSERT_LE(used, room);
    for (std::size_t i = room; i < bytes.size(); ++i) {
      ASSERT_EQ(bytes[i], std::byte{0x5A}) << room;
    }
    const auto read = read_record(std::span(bytes).first(used));
    ASSERT_TRUE(!read.has_value() || read->type == record.type) << room;
  }
}

TEST(ErrorRecord, is_not_read_from_too_few_or_too_many_bytes) {
  const auto bytes = written(full_record());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(read_record(std::span(bytes).first(size)).has_value()) << size;
  }
  auto more = bytes;
  more.push_back(std::byte{0});
  EXPECT_FALSE(read_record(more).has_value());
}

TEST(ErrorRecord, survives_random_bytes) {
  constexpr std::uint32_t kSeed = 11;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  const auto good = written(full_record());
  int num_refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    auto bytes = good;
    for (std::uint32_t changes = random() % 4 + 1; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    const auto read = read_record(bytes);
    num_refused += read.has_value() ? 0 : 1;
    if (read.has_value()) {
      ASSERT_LE(read->message.size(), bytes.size());
    }
  }
  EXPECT_GT(num_refused, 0);
}

}  // namespace
}  // namespace forklift::ipc
