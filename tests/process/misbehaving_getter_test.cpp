// SPDX-License-Identifier: MIT
// What a getter may do to a worker, and what the trainer is told. Semantics 3.2, 3.7, 6.1, 6.2,
// 6.3, 6.4, 6.5, 6.6 and 10.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/misbehaving.hpp"
#include "support/numbers.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::expect_death;
using test_support::Numbers;
using test_support::with_bad_sample;

class MisbehavingGetter : public test_support::LeavesNothing {};

struct Outcome {
  std::vector<std::int64_t> values;
  std::vector<std::string> errors;
  std::vector<std::size_t> error_batches;
};

// Takes everything, going on behind errors.
Outcome take_all_with_errors(DataLoader<Numbers>& loader) {
  Outcome out;
  for (auto batch = loader.begin();; ++batch) {
    try {
      if (batch == loader.end()) {
        return out;
      }
      const auto data = (*batch).data<std::int64_t>();
      out.values.insert(out.values.end(), data.begin(), data.end());
    } catch (const WorkerError& error) {
      out.errors.emplace_back(error.what());
      out.error_batches.push_back(error.batch_index());
    }
  }
}

TEST_F(MisbehavingGetter, errors_stand_at_their_place_and_nothing_is_lost) {
  const Numbers dataset(20, [](std::size_t index) -> std::int64_t {
    if (index == 3 || index == 10 || index == 15 || index == 16) {
      throw std::out_of_range("no page " + std::to_string(index));
    }
    return static_cast<std::int64_t>(index);
  });
  for (int num_workers : {0, 1, 2, 3}) {
    DataLoader loader(
        dataset,
        {.batch_size = 2, .num_workers = num_workers, .on_warning = [](std::string_view) {}});
    for (int epoch = 0; epoch < 2; ++epoch) {
      const Outcome out = take_all_with_errors(loader);
      EXPECT_EQ(out.error_batches, std::vector<std::size_t>({1, 5, 7, 8}));
      EXPECT_EQ(out.values, std::vector<std::int64_t>({0, 1, 4, 5, 6, 7, 8, 9, 12, 13, 18, 19}));
      EXPECT_NE(out.errors[0].find("std::out_of_range"), std::string::npos) << out.errors[0];
      EXPECT_NE(out.errors[0].find("no page 3"), std::string::npos) << out.errors[0];
      EXPECT_NE(out.errors[0].find("dataset index 3"), std::string::npos) << out.errors[0];
    }
  }
}

TEST_F(MisbehavingGetter, any_type_may_be_thrown_and_long_messages_come_whole) {
  const std::string megabyte(std::size_t{1} << 20U, 'x');
  for (int num_workers : {0, 1}) {
    DataLoader number(with_bad_sample(2, 1, [] { throw 42; }), {.num_workers = num_workers});
    DataLoader text(with_bad_sample(2, 1, [&] { throw std::runtime_error(megabyte); }),
                    {.num_workers = num_workers});

    const Outcome thrown_number = take_all_with_errors(number);
    const Outcome thrown_text = take_all_with_errors(text);

    ASSERT_EQ(thrown_number.errors.size(), 1U);
    EXPECT_NE(thrown_number.errors[0].find("Caught int"), std::string::npos)
        << thrown_number.errors[0];
    ASSERT_EQ(thrown_text.errors.size(), 1U);
    EXPECT_NE(thrown_text.errors[0].find(megabyte), std::string::npos);
  }
}

TEST_F(MisbehavingGetter, with_no_workers_the_original_exception_is_nested) {
  DataLoader loader(with_bad_sample(1, 0, [] { throw std::out_of_range("original"); }));
  try {
    static_cast<void>(loader.begin() == loader.end());
    FAIL() << "no error";
  } catch (const WorkerError& error) {
    EXPECT_THROW(std::rethrow_if_nested(error), std::out_of_range);
  }
}

TEST_F(MisbehavingGetter, an_exit_names_status_and_samples_and_the_next_pass_works) {
  for (const int status : {0, 3}) {
    DataLoader loader(with_bad_sample(12, 5, [status] { ::_exit(status); }),
                      {.batch_size = 2, .num_workers = 2});

    const WorkerDied error = expect_death(loader);

    EXPECT_EQ(error.exit_status(), status);
    EXPECT_EQ(error.signal(), 0);
    EXPECT_EQ(error.dataset_index(), 5U);
    const auto indices = error.dataset_indices();
    EXPECT_EQ(std::vector<std::size_t>(indices.begin(), indices.end()),
              std::vector<std::size_t>({4, 5}));
    EXPECT_EQ(expect_death(loader).exit_status(), status);  // forked anew, and it happens again
  }
}

TEST_F(MisbehavingGetter, a_crash_names_its_signal) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGKILL}) {
    DataLoader loader(with_bad_sample(8,
                                      2,
                                      [signal] {
                                        ::signal(signal,
                                                 SIG_DFL);  // a sanitizer may have a handler
                                        ::raise(signal);
                                      }),
                      {.batch_size = 2, .num_workers = 2});
    const WorkerDied error = expect_death(loader);
    EXPECT_EQ(error.signal(), signal);
    EXPECT_EQ(error.worker_id(), 1U);
    EXPECT_EQ(error.dataset_index(), 2U);
  }
}

TEST_F(MisbehavingGetter, closing_all_descriptors_is_told_and_not_a_hang) {
  DataLoader loader(with_bad_sample(200, 5, [] { ::closefrom(3); }),
                    {.batch_size = 2, .num_workers = 2, .timeout = 30});

  const WorkerDied error = expect_death(loader);

  EXPECT_NE(std::string(error.what()).find("closed file descriptors"), std::string::npos)
      << error.what();
}

TEST_F(MisbehavingGetter, a_worker_may_fork_a_child_of_its_own) {
  DataLoader loader(
      with_bad_sample(12,
                      5,
                      [] {
                        const pid_t child = ::fork();
                        if (child == 0) {
                          ::_exit(7);
                        }
                        int status = 0;
                        if (::waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) {
                          throw std::runtime_error("the grandchild went wrong");
                        }
                      }),
      {.batch_size = 2, .num_workers = 2});
  const Outcome out = take_all_with_errors(loader);
  EXPECT_TRUE(out.errors.empty());
  EXPECT_EQ(out.values.size(), 12U);
}

TEST_F(MisbehavingGetter, a_loop_without_end_times_out_by_name_and_is_killed_at_the_end) {
  std::vector<std::string> warnings;
  {
    DataLoader loader(with_bad_sample(40,
                                      5,
                                      [] {
                                        for (;;) {
                                          ::pause();
                                        }
                                      }),
                      {.batch_size = 2,
                       .num_workers = 2,
                       .timeout = 0.3,
                       .on_warning = [&](std::string_view text) { warnings.emplace_back(text); }});
    auto batch = loader.begin();
    std::size_t good = 0;
    for (; good < 2; ++good, ++batch) {
      ASSERT_FALSE(batch == loader.end());
    }
    for (int attempt = 0; attempt < 2;
         ++attempt) {  // the error is not kept: the next comparison waits again
      try {
        static_cast<void>(batch == loader.end());
        FAIL() << "no timeout";
      } catch (const TimeoutError& error) {
        EXPECT_NE(std::string(error.what()).find("dataset index 5"), std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("worker 0"), std::string::npos) << error.what();
      }
    }
  }
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("worker 0"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("dataset index 5"), std::string::npos) << warnings[0];
}

TEST_F(MisbehavingGetter, a_start_that_throws_answers_every_batch_and_names_the_hook) {
  DataLoader loader(with_bad_sample(8, 100, [] {}),
                    {.batch_size = 2, .num_workers = 2, .worker_init_fn = [](std::size_t id) {
                       if (id == 1) {
                         throw std::runtime_error("no licence");
                       }
                     }});
  const Outcome out = take_all_with_errors(loader);
  EXPECT_EQ(out.error_batches, std::vector<std::size_t>({1, 3}));
  ASSERT_EQ(out.errors.size(), 2U);
  EXPECT_NE(out.errors[0].find("worker_init_fn"), std::string::npos) << out.errors[0];
  EXPECT_NE(out.errors[1].find("no licence"), std::string::npos) << out.errors[1];
}

TEST_F(MisbehavingGetter, a_death_while_idle_is_told_by_the_next_call_before_other_batches) {
  DataLoader loader(Numbers(40,
                            [](std::size_t index) {
                              return static_cast<std::int64_t>(index % 2 == 0 ? ::getpid() : 0);
                            }),
                    {.batch_size = 2, .num_workers = 2});
  auto batch = loader.begin();
  ASSERT_FALSE(batch == loader.end());
  const auto pid = static_cast<pid_t>((*batch).data<std::int64_t>()[0]);
  ::kill(pid, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);

  ++batch;
  try {
    static_cast<void>(batch == loader.end());
    FAIL() << "no error";
  } catch (const WorkerDied& error) {
    EXPECT_EQ(error.pid(), pid);
    EXPECT_EQ(error.signal(), SIGKILL);
  }
  EXPECT_THROW(static_cast<void>(batch == loader.end()), WorkerDied);  // kept until ++
  ++batch;
  EXPECT_TRUE(batch == loader.end());
}

}  // namespace
}  // namespace forklift
