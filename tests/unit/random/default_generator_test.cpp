// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <forklift/detail/random_source.hpp>
#include <forklift/generator.hpp>

namespace forklift {
namespace {

std::uint64_t first_draw_of_a_new_process() {
  int ends[2];
  if (pipe(ends) != 0) {
    return 0;
  }
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t draw = default_generator().random64();
    _exit(write(ends[1], &draw, sizeof draw) == sizeof draw ? 0 : 1);
  }
  std::uint64_t draw = 0;
  const bool complete = read(ends[0], &draw, sizeof draw) == sizeof draw;
  close(ends[0]);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  return complete ? draw : 0;
}

TEST(DefaultGenerator, is_seeded_differently_in_each_process_until_it_is_told) {
  // Nothing in this process has used it yet: every case is a process of its own.
  const std::uint64_t first = first_draw_of_a_new_process();
  const std::uint64_t second = first_draw_of_a_new_process();
  EXPECT_NE(first, 0U);
  EXPECT_NE(first, second);
}

TEST(DefaultGenerator, every_handle_and_the_source_share_one_stream) {
  manual_seed(42);
  Generator expected(42);

  EXPECT_EQ(default_generator().random63(), expected.random63());
  EXPECT_EQ(detail::default_random63(), expected.random63());
  EXPECT_EQ(detail::RandomSource{}.random63(), expected.random63());
  EXPECT_EQ(default_generator(), default_generator());
  EXPECT_EQ(default_generator().initial_seed(), 42U);
}

TEST(DefaultGenerator, takes_negative_seeds) {
  manual_seed(-1);
  EXPECT_EQ(default_generator().random64(), Generator(-1).random64());
}

TEST(DefaultGenerator, threads_together_draw_each_number_of_the_stream_once) {
  constexpr std::size_t kDraws = 5000;
  manual_seed(8);
  std::vector<std::uint64_t> first(kDraws);
  std::vector<std::uint64_t> second(kDraws);
  const auto draw_all = [](std::vector<std::uint64_t>& out) {
    for (auto& value : out) {
      value = default_generator().random64();
    }
  };

  std::thread other([&] { draw_all(first); });
  draw_all(second);
  other.join();

  first.insert(first.end(), second.begin(), second.end());
  std::sort(first.begin(), first.end());
  Generator expected(8);
  std::vector<std::uint64_t> all(2 * kDraws);
  for (auto& value : all) {
    value = expected.random64();
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(first, all);
}

TEST(DefaultGenerator, a_lock_held_over_a_fork_is_free_in_parent_and_child) {
  manual_seed(4);
  const std::uint64_t expected = Generator(4).random64();

  detail::lock_default_generator();
  const pid_t child = fork();
  detail::unlock_default_generator();
  if (child == 0) {
    _exit(default_generator().random64() == expected ? 0 : 1);
  }

  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(default_generator().random64(), expected);
}

}  // namespace
}  // namespace forklift
