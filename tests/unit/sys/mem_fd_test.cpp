// SPDX-License-Identifier: MIT
#include "sys/mem_fd.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "support/in_child.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

void set_limit(__rlimit_resource_t resource, std::uint64_t value) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(resource, &limit), 0);
  limit.rlim_cur = value;
  ASSERT_EQ(::setrlimit(resource, &limit), 0);
}

TEST(MemFd, has_its_size_and_no_pages) {
  const UniqueFd fd = make_mem_fd("test", 64 * kGibibyte);

  struct stat status {};
  ASSERT_EQ(::fstat(fd.get(), &status), 0);
  EXPECT_EQ(static_cast<std::uint64_t>(status.st_size), 64 * kGibibyte);
  EXPECT_EQ(status.st_blocks, 0);
}

TEST(MemFd, is_closed_by_exec) {
  const UniqueFd fd = make_mem_fd("test", 4096);

  EXPECT_EQ(::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(MemFd, can_be_neither_shrunk_nor_grown_nor_unsealed) {
  const UniqueFd fd = make_mem_fd("test", 8192);

  EXPECT_EQ(::ftruncate(fd.get(), 4096), -1);
  EXPECT_EQ(::ftruncate(fd.get(), 16384), -1);
  const int seals = ::fcntl(fd.get(), F_GET_SEALS);
  EXPECT_EQ(seals & (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL),
            F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

TEST(MemFd, past_the_file_size_limit_is_an_error_that_names_it_and_not_a_signal) {
  const int status = test_support::run_in_child([] {
    set_limit(RLIMIT_FSIZE, 1 << 20);
    try {
      const UniqueFd fd = make_mem_fd("ring", kGibibyte);
      return 1;
    } catch (const ResourceError& error) {
      const bool is_right = error.needed() == kGibibyte && error.available() == 1 << 20 &&
                            error.knob().find("ulimit -f") != std::string::npos;
      return is_right ? 0 : 2;
    }
  });

  EXPECT_EQ(status, 0);
}

TEST(MemFd, longer_than_any_file_is_an_error) {
  EXPECT_THROW(static_cast<void>(make_mem_fd("ring", ~std::uint64_t{0})), ResourceError);
}

TEST(MemFd, without_descriptors_is_an_error_that_names_the_limit) {
  const int status = test_support::run_in_child([] {
    set_limit(RLIMIT_NOFILE, 3);
    try {
      const UniqueFd fd = make_mem_fd("ring", 4096);
      return 1;
    } catch (const ResourceError& error) {
      return error.code() == EMFILE && error.available() == 3 &&
                     error.knob().find("ulimit -n") != std::string::npos
                 ? 0
                 : 2;
    }
  });

  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace forklift::sys
