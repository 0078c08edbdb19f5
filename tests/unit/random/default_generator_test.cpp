// SPDX-License-Identifier: MIT
// Semantics 4.1.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
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

TEST(DefaultGenerator, the_source_lends_its_generator_and_goes_on_after_it) {
  manual_seed(12);
  Generator expected(12);
  const detail::RandomSource source;
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<std::uint64_t> drawn;
    source.with_generator([&](Generator& generator) {
      EXPECT_NE(generator, default_generator());
      drawn = generator.randperm(700);
      drawn.push_back(generator.random32());
    });
    std::vector<std::uint64_t> words = expected.randperm(700);
    words.push_back(expected.random32());
    EXPECT_EQ(drawn, words);
    EXPECT_EQ(default_generator().random63(), expected.random63());
  }
  EXPECT_EQ(default_generator().initial_seed(), 12U);
}

TEST(DefaultGenerator, what_throws_while_it_has_the_generator_has_drawn_nothing) {
  manual_seed(12);
  EXPECT_THROW(detail::RandomSource{}.with_generator([](Generator& generator) {
    (void)generator.random32();
    throw std::domain_error("while drawing");
  }),
               std::domain_error);
  EXPECT_EQ(default_generator().random63(), Generator(12).random63());
}

TEST(DefaultGenerator, other_threads_draw_nothing_between_the_draws_of_a_borrower) {
  manual_seed(8);
  constexpr std::size_t kWords = 500;
  bool done = false;  // guarded by the generator's lock, as the default one is locked meanwhile
  std::thread other;
  detail::RandomSource{}.with_generator([&](Generator& generator) {
    other = std::thread([&] {
      (void)default_generator().random32();
      EXPECT_TRUE(done);
    });
    for (std::size_t i = 0; i < kWords; ++i) {
      (void)generator.random32();
      std::this_thread::yield();
    }
    done = true;
  });
  other.join();
  Generator expected(8);
  expected.discard(kWords + 1);
  EXPECT_EQ(default_generator().random32(), expected.random32());
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
