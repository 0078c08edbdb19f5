// SPDX-License-Identifier: MIT
#include "support/process_guard.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "support/in_child.hpp"

namespace forklift::test_support {
namespace {

bool has(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(part) != std::string::npos;
  });
}

TEST(ProcessGuard, finds_nothing_where_nothing_is_left) {
  const ProcessGuard guard;

  EXPECT_EQ(run_in_child([] { return 0; }), 0);
  std::thread([] {}).join();

  guard.expect_clean();
}

TEST(ProcessGuard, finds_a_descriptor_by_what_it_is_open_on) {
  const ProcessGuard guard;
  const int fd = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);

  EXPECT_TRUE(has(guard.leftovers(), "/dev/zero"));

  ::close(fd);
  guard.expect_clean();
}

TEST(ProcessGuard, finds_a_zombie_and_a_child) {
  const ProcessGuard guard;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_TRUE(has(guard.leftovers(), "process " + std::to_string(pid)));

  ::kill(pid, SIGKILL);
  EXPECT_TRUE(eventually([&] { return has(guard.leftovers(), "state Z"); }));

  EXPECT_NE(wait_for_pid(pid), -1);
  guard.expect_clean();
}

TEST(ProcessGuard, finds_an_orphan_of_a_child) {
  const ProcessGuard guard;
  EXPECT_EQ(run_in_child([] {
              if (::fork() == 0) {
                ::pause();
                ::_exit(0);
              }
              return 0;
            }),
            0);

  const auto orphans = descendants_of(::getpid());

  ASSERT_EQ(orphans.size(), 1U);
  EXPECT_TRUE(has(guard.leftovers(), "process " + std::to_string(orphans[0].pid)));
  ::kill(orphans[0].pid, SIGKILL);
  EXPECT_NE(wait_for_pid(orphans[0].pid), -1);
  guard.expect_clean();
}

TEST(ProcessGuard, finds_a_thread) {
  const ProcessGuard guard;
  std::atomic<bool> is_over{false};
  std::thread thread([&] { is_over.wait(false); });

  EXPECT_TRUE(has(guard.leftovers(), "thread"));

  is_over = true;
  is_over.notify_one();
  thread.join();
  guard.expect_clean();
}

TEST(ProcessGuard, finds_a_shared_mapping) {
  const ProcessGuard guard;
  void* const memory =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  EXPECT_TRUE(has(guard.leftovers(), "shared mapping"));

  ::munmap(memory, 4096);
  guard.expect_clean();
}

TEST(ProcessGuard, fails_the_test_when_something_is_left) {
  static constinit const ProcessGuard* checked = nullptr;
  const ProcessGuard guard;
  checked = &guard;
  const int fd = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);

  EXPECT_NONFATAL_FAILURE(checked->expect_clean(), "/dev/zero");

  ::close(fd);
}

}  // namespace
}  // namespace forklift::test_support
