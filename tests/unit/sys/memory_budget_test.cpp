// SPDX-License-Identifier: MIT
#include "sys/memory_budget.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace forklift::sys {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

// A machine made of files: 16 GiB available unless a test says otherwise.
class MemoryBudget : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "forklift_budget_XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    write("/proc/meminfo", "MemTotal:       99999999 kB\nMemAvailable:   16777216 kB\n");
  }

  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories(fs::path(root_ + file).parent_path());
    std::ofstream(root_ + file) << text;
  }
  // A memory cgroup of version 2.
  void write_v2(const std::string& folder, const std::string& limit, std::uint64_t used) const {
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", std::to_string(used) + "\n");
  }
  void write_v1(const std::string& folder, std::uint64_t limit, std::uint64_t used) const {
    write(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    write(folder + "/memory.usage_in_bytes", std::to_string(used) + "\n");
  }
  void mount_v2(const std::string& top, const std::string& path) const {
    write("/proc/self/mountinfo",
          "22 1 0:20 / / rw - overlay overlay rw\n30 22 0:26 " + top +
              " /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup rw,nsdelegate\n");
    write("/proc/self/cgroup", "0::" + path + "\n");
  }
  void mount_v1(const std::string& top, const std::string& path) const {
    write("/proc/self/mountinfo",
          "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
          "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
          "35 31 0:32 " +
              top + " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    write("/proc/self/cgroup", "9:name=systemd:/\n4:memory:" + path + "\n1:cpu:/other\n0::/\n");
  }
  [[nodiscard]] AvailableMemory available() const { return available_memory(root_); }

  std::string root_;
};

TEST_F(MemoryBudget, is_the_available_memory_of_the_machine_without_cgroups) {
  const AvailableMemory memory = available();

  EXPECT_EQ(memory.bytes, 16 * kGibibyte);
  EXPECT_EQ(memory.limited_by, "MemAvailable of /proc/meminfo");
}

TEST_F(MemoryBudget, is_what_the_limit_of_a_v2_cgroup_leaves) {
  mount_v2("/", "/job");
  write_v2("/sys/fs/cgroup/job", std::to_string(4 * kGibibyte), kGibibyte);

  const AvailableMemory memory = available();

  EXPECT_EQ(memory.bytes, 3 * kGibibyte);
  EXPECT_EQ(memory.limited_by, "/sys/fs/cgroup/job/memory.max");
}

TEST_F(MemoryBudget, counts_droppable_file_pages_as_available) {
  mount_v2("/", "/job");
  write_v2("/sys/fs/cgroup/job", std::to_string(4 * kGibibyte), 3 * kGibibyte);
  write("/sys/fs/cgroup/job/memory.stat",
        "anon 1\ninactive_anon 7\ninactive_file " + std::to_string(2 * kGibibyte) + "\n");

  EXPECT_EQ(available().bytes, 3 * kGibibyte);
}

TEST_F(MemoryBudget, takes_the_tightest_of_all_ancestors) {
  mount_v2("/", "/a/b/c");
  write_v2("/sys/fs/cgroup/a", std::to_string(9 * kGibibyte), 7 * kGibibyte);
  write_v2("/sys/fs/cgroup/a/b", "max", kGibibyte);
  write_v2("/sys/fs/cgroup/a/b/c", std::to_string(4 * kGibibyte), 0);

  const AvailableMemory memory = available();

  EXPECT_EQ(memory.bytes, 2 * kGibibyte);
  EXPECT_EQ(memory.limited_by, "/sys/fs/cgroup/a/memory.max");
}

TEST_F(MemoryBudget, is_nothing_in_a_cgroup_past_its_limit) {
  mount_v2("/", "/job");
  write_v2("/sys/fs/cgroup/job", std::to_string(kGibibyte), 2 * kGibibyte);

  EXPECT_EQ(available().bytes, 0U);
}

TEST_F(MemoryBudget, minds_the_limit_that_only_stalls) {
  mount_v2("/", "/job");
  write_v2("/sys/fs/cgroup/job", "max", kGibibyte);
  write("/sys/fs/cgroup/job/memory.high", std::to_string(2 * kGibibyte) + "\n");

  EXPECT_EQ(available().bytes, kGibibyte);
  EXPECT_EQ(available().limited_by, "/sys/fs/cgroup/job/memory.high");
}

TEST_F(MemoryBudget, is_the_machine_where_the_cgroup_allows_more) {
  mount_v2("/", "/job");
  write_v2("/sys/fs/cgroup/job", std::to_string(64 * kGibibyte), 0);

  EXPECT_EQ(available().bytes, 16 * kGibibyte);
}

TEST_F(MemoryBudget, is_what_the_limit_of_a_v1_cgroup_leaves) {
  mount_v1("/", "/job/one");
  write_v1("/sys/fs/cgroup/memory", 9223372036854771712U, 20 * kGibibyte);
  write_v1("/sys/fs/cgroup/memory/job", 8 * kGibibyte, 7 * kGibibyte);
  write_v1("/sys/fs/cgroup/memory/job/one", 4 * kGibibyte, kGibibyte);
  write("/sys/fs/cgroup/memory/job/memory.stat",
        "inactive_file 1\ntotal_inactive_file " + std::to_string(kGibibyte) + "\n");

  const AvailableMemory memory = available();

  EXPECT_EQ(memory.bytes, 2 * kGibibyte);
  EXPECT_EQ(memory.limited_by, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes");
}

TEST_F(MemoryBudget, finds_the_cgroup_of_a_container_that_mounts_only_its_own) {
  mount_v1("/docker/abc", "/docker/abc/sub");
  write_v1("/sys/fs/cgroup/memory", 4 * kGibibyte, 3 * kGibibyte);
  write_v1("/sys/fs/cgroup/memory/sub", 2 * kGibibyte, 0);

  EXPECT_EQ(available().bytes, kGibibyte);
}

TEST_F(MemoryBudget, takes_the_mounted_cgroup_where_ours_is_outside_of_it) {
  for (const auto& [top, path] : {std::pair{"/docker/abc", "/docker/abcdef"},
                                  std::pair{"/docker/abc", "/"},
                                  std::pair{"/", "/../other"},
                                  std::pair{"/..", "/"}}) {
    mount_v2(top, path);
    write_v2("/sys/fs/cgroup", std::to_string(4 * kGibibyte), kGibibyte);

    EXPECT_EQ(available().bytes, 3 * kGibibyte) << top << " " << path;
  }
}

TEST_F(MemoryBudget, reads_mount_points_with_blanks) {
  write("/proc/self/mountinfo", "30 22 0:26 / /my\\040cgroups rw - cgroup2 cgroup rw\n");
  write("/proc/self/cgroup", "0::/job\n");
  write_v2("/my cgroups/job", std::to_string(4 * kGibibyte), kGibibyte);

  EXPECT_EQ(available().bytes, 3 * kGibibyte);
}

TEST_F(MemoryBudget, lets_garbage_set_no_bound) {
  write("/proc/self/mountinfo", "- \n x\n30 - cgroup2\n30 22 0:26 / /g rw - cgroup2 cgroup rw\n");
  write("/proc/self/cgroup", "0\n::\n0::/job\n");
  write("/g/job/memory.max", "many\n");
  write("/g/memory.max", "");

  EXPECT_EQ(available().bytes, 16 * kGibibyte);
}

TEST_F(MemoryBudget, without_any_file_is_still_a_number) {
  fs::remove_all(root_ + "/proc");

  EXPECT_GT(available().bytes, 0U);
}

TEST_F(MemoryBudget, of_this_machine_is_a_sane_number) {
  const AvailableMemory memory = available_memory();

  EXPECT_GT(memory.bytes, 1U << 20);
  EXPECT_LT(memory.bytes, std::uint64_t{1} << 50);
  EXPECT_FALSE(memory.limited_by.empty());
}

TEST(Promise, counts_while_it_lives) {
  const std::uint64_t before = Promise::total();
  {
    Promise first(100);
    const Promise second(11);
    EXPECT_EQ(Promise::total(), before + 111);

    Promise moved(std::move(first));
    EXPECT_EQ(Promise::total(), before + 111);
    EXPECT_EQ(moved.bytes(), 100U);

    moved = Promise(5);
    EXPECT_EQ(Promise::total(), before + 16);
  }
  EXPECT_EQ(Promise::total(), before);
}

}  // namespace
}  // namespace forklift::sys
