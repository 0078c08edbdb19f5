// SPDX-License-Identifier: MIT
#include "sys/resource_limits.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/in_child.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

using test_support::run_in_child;

bool set_soft_limit(__rlimit_resource_t resource, std::uint64_t value) {
  rlimit limit{};
  static_cast<void>(::getrlimit(resource, &limit));
  limit.rlim_cur = value;
  return ::setrlimit(resource, &limit) == 0;
}

TEST(ResourceLimits, tell_the_soft_limits) {
  const int status = run_in_child([] {
    const bool is_set = set_soft_limit(RLIMIT_FSIZE, 12345) && set_soft_limit(RLIMIT_NOFILE, 77);
    return is_set && file_size_limit() == 12345 && open_files_limit() == 77 ? 0 : 1;
  });

  EXPECT_EQ(status, 0);
}

TEST(ResourceLimits, tell_no_limit) {
  const int status = run_in_child([] {
    if (!set_soft_limit(RLIMIT_FSIZE, RLIM_INFINITY) || !set_soft_limit(RLIMIT_AS, RLIM_INFINITY)) {
      return 77;  // A hard limit is set.
    }
    return file_size_limit() == kUnlimited && address_space_left() == kUnlimited ? 0 : 1;
  });

  if (status == 77) {
    GTEST_SKIP() << "this process runs under hard limits";
  }
  EXPECT_EQ(status, 0);
}

TEST(ResourceLimits, take_off_the_address_space_in_use) {
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
  const int status = run_in_child([] {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    if (!set_soft_limit(RLIMIT_AS, pages * 4096 + kGibibyte)) {
      return 1;
    }
    const std::uint64_t left = address_space_left();
    if (left < kGibibyte / 2 || left > kGibibyte * 3 / 2) {
      return 2;
    }
    return set_soft_limit(RLIMIT_AS, 4096) && address_space_left() == 0 ? 0 : 3;
  });

  EXPECT_EQ(status, 0);
}

TEST(ResourceLimits, name_the_limit_when_descriptors_ran_out) {
  try {
    throw_system_error("eventfd", "doorbell", EMFILE);
  } catch (const ResourceError& error) {
    EXPECT_EQ(error.code(), EMFILE);
    EXPECT_EQ(error.available(), open_files_limit());
    EXPECT_EQ(error.needed(), open_files_limit() + 1);
    EXPECT_NE(std::string(error.what()).find("ulimit -n"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("doorbell"), std::string::npos);
  }
}

TEST(ResourceLimits, leave_other_errors_as_they_are) {
  try {
    throw_system_error("eventfd", "doorbell", ENODEV);
  } catch (const SystemError& error) {
    EXPECT_EQ(dynamic_cast<const ResourceError*>(&error), nullptr);
    EXPECT_EQ(error.operation(), "eventfd");
    EXPECT_EQ(error.object(), "doorbell");
    EXPECT_EQ(error.code(), ENODEV);
  }
}

}  // namespace
}  // namespace forklift::sys
