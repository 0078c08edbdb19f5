// SPDX-License-Identifier: MIT
#include "sys/unique_fd.hpp"

#include <fcntl.h>

#include <utility>

#include <gtest/gtest.h>

namespace forklift::sys {
namespace {

int open_something() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}
bool is_valid(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}

TEST(UniqueFd, is_empty_by_default) {
  const UniqueFd fd;

  EXPECT_FALSE(fd.is_open());
  EXPECT_EQ(fd.get(), -1);
}

TEST(UniqueFd, closes_its_descriptor) {
  const int number = open_something();
  ASSERT_TRUE(is_valid(number));

  { const UniqueFd fd(number); }

  EXPECT_FALSE(is_valid(number));
}

TEST(UniqueFd, moves_its_descriptor) {
  const int number = open_something();
  UniqueFd from(number);

  UniqueFd to(std::move(from));
  UniqueFd last;
  last = std::move(to);

  EXPECT_EQ(last.get(), number);
  EXPECT_TRUE(is_valid(number));
}

TEST(UniqueFd, closes_what_it_had_when_it_is_assigned) {
  const int number = open_something();
  UniqueFd fd(number);

  fd = UniqueFd();

  EXPECT_FALSE(is_valid(number));
}

TEST(UniqueFd, lets_go_of_what_is_released) {
  const int number = open_something();

  const int released = UniqueFd(number).release();

  EXPECT_EQ(released, number);
  EXPECT_TRUE(is_valid(number));
  ::close(number);
}

}  // namespace
}  // namespace forklift::sys
