// SPDX-License-Identifier: MIT
// The program around a loader: its exit, its forks, its threads, its output and its limits.
// Semantics 6.5 and 6.6.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::Numbers;
using test_support::SharedCount;
using test_support::take_all;

class HostProcess : public test_support::LeavesNothing {};

TEST_F(HostProcess, may_begin_in_a_thread_that_ends) {
  for (const bool persistent : {false, true}) {
    std::optional<DataLoader<Numbers>> loader;
    std::optional<DataLoader<Numbers>::iterator> batch;
    std::thread([&] {
      loader.emplace(Numbers(40, identity),
                     DataLoaderOptions{.num_workers = 2, .persistent_workers = persistent});
      batch.emplace(loader->begin());
    }).join();
    std::int64_t expected = 0;
    for (; *batch != loader->end(); ++*batch) {
      ASSERT_EQ((**batch).item<std::int64_t>(), expected++);
    }
    EXPECT_EQ(expected, 40);
    EXPECT_EQ(take_all(*loader).size(), 40U);
  }
}

// What a host wrote on its way, all of it through one open file.
std::string run_host_with_output(void (*host)(std::FILE*)) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  EXPECT_EQ(test_support::run_in_child([&] {
              host(file.get());
              std::exit(0);
              return 1;
            }),
            0);
  std::string text(4096, '\0');
  const ssize_t length = ::pread(::fileno(file.get()), text.data(), text.size(), 0);
  text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return text;
}

std::size_t count_of(const std::string& words, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    ++count;
  }
  return count;
}

constinit int exit_log = -1;

struct WritesAtTheEnd {
  WritesAtTheEnd() = default;
  WritesAtTheEnd(const WritesAtTheEnd&) = delete;
  WritesAtTheEnd& operator=(const WritesAtTheEnd&) = delete;
  ~WritesAtTheEnd() {
    ::dprintf(exit_log, "<static of %s>", ::getpid() == main ? "main" : "worker");
  }
  pid_t main = ::getpid();
};

TEST_F(HostProcess, does_its_exit_work_once_and_alone) {
  const std::string text = run_host_with_output([](std::FILE* file) {
    std::fputs("<buffered>", file);
    exit_log = ::fileno(file);
    static const WritesAtTheEnd at_the_end;
    std::atexit([] { ::dprintf(exit_log, "<atexit>"); });
    DataLoader loader(Numbers(12,
                              [](std::size_t index) {
                                if (index == 7) {
                                  throw std::runtime_error("bad sample");
                                }
                                return identity(index);
                              }),
                      {.num_workers = 2});
    for (auto& batch : loader) {  // left half-way
      if (batch.item<std::int64_t>() == 2) {
        break;
      }
    }
    try {  // ended by an error
      static_cast<void>(take_all(loader));
    } catch (const WorkerError&) {
      ::dprintf(exit_log, "<error>");
    }
    loader.dataset().resize(7);  // to the end
    ::dprintf(exit_log, "<%zu samples>", take_all(loader).size());
  });
  for (const char* once :
       {"<buffered>", "<static of main>", "<atexit>", "<error>", "<7 samples>"}) {
    EXPECT_EQ(count_of(once, text), 1U) << once << " in " << text;
  }
  EXPECT_EQ(count_of("worker", text), 0U) << text;
}

TEST_F(HostProcess, has_its_standard_output_shared_with_getters) {
  const std::string text = run_host_with_output([](std::FILE* file) {
    ::dup2(::fileno(file), STDOUT_FILENO);
    std::printf("<host>");  // in the buffer while workers are forked
    DataLoader loader(Numbers(8,
                              [](std::size_t index) {
                                std::printf("<lost>");
                                ::dprintf(STDOUT_FILENO, "<sample %zu>", index);
                                return identity(index);
                              }),
                      {.num_workers = 2});
    std::printf("<%zu samples>", take_all(loader).size());
  });
  EXPECT_EQ(count_of("<host>", text), 1U) << text;
  EXPECT_EQ(count_of("<8 samples>", text), 1U) << text;
  for (std::size_t index = 0; index < 8; ++index) {
    EXPECT_EQ(count_of("<sample " + std::to_string(index) + ">", text), 1U) << text;
  }
}

TEST_F(HostProcess, a_fork_of_the_host_may_drop_a_live_loader_and_exit) {
  DataLoader loader(Numbers(40, identity), {.batch_size = 2, .num_workers = 2});
  auto batch = std::make_optional(loader.begin());
  const Tensor kept = **batch;
  const pid_t child = ::fork();
  if (child == 0) {
    bool refused = false;
    ++*batch;
    try {
      static_cast<void>(*batch == loader.end());
    } catch (const StateError&) {
      refused = true;
    }
    const bool readable = kept.data<std::int64_t>()[1] == 1;
    batch.reset();
    auto moved = std::make_unique<DataLoader<Numbers>>(std::move(loader));
    const bool works = take_all(*moved).size() == 40;  // with workers of its own
    moved.reset();
    ::_exit(refused && readable && works ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);

  std::int64_t next = 0;
  for (; *batch != loader.end(); ++*batch) {
    ASSERT_EQ((**batch).data<std::int64_t>()[0], next);
    next += 2;
  }
  EXPECT_EQ(next, 40);
}

// A fork that leaves by `leave(status)` with a loader, an iterator and a batch alive.
void expect_unharmed_by_a_fork_that(void (*leave)(int)) {
  // Static, so that exit() destroys them in the fork.
  static std::optional<DataLoader<Numbers>> loader;
  static std::optional<DataLoader<Numbers>::iterator> batch;
  static std::optional<Tensor> kept;
  loader.emplace(Numbers(40, identity), DataLoaderOptions{.batch_size = 2, .num_workers = 2});
  batch.emplace(loader->begin());
  kept.emplace(**batch);

  EXPECT_EQ(test_support::run_in_child([&] {
              leave(kept->data<std::int64_t>()[1] == 1 ? 0 : 1);
              return 2;
            }),
            0);

  std::int64_t next = 0;
  for (; *batch != loader->end(); ++*batch, next += 2) {
    ASSERT_EQ((**batch).data<std::int64_t>()[0], next);
  }
  EXPECT_EQ(next, 40);
  EXPECT_EQ(kept->data<std::int64_t>()[1], 1);
  batch.reset();
  kept.reset();
  loader.reset();
}

TEST_F(HostProcess, is_unharmed_by_a_fork_that_exits_with_a_live_loader) {
  expect_unharmed_by_a_fork_that([](int status) { std::exit(status); });
  expect_unharmed_by_a_fork_that([](int status) { ::_exit(status); });
}

TEST_F(HostProcess, too_few_descriptors_is_one_error_and_32_are_enough) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const auto with_limit = [&](rlim_t limit, auto&& act) {
    const rlimit lower{limit, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
    act();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  };
  with_limit(32, [] {
    DataLoader loader(Numbers(400, identity), {.batch_size = 2, .num_workers = 2});
    EXPECT_EQ(take_all(loader).size(), 400U);
  });
  with_limit(6, [] {
    DataLoader loader(Numbers(400, identity), {.batch_size = 2, .num_workers = 2});
    try {
      static_cast<void>(loader.begin());
      ADD_FAILURE() << "no error";
    } catch (const ResourceError& error) {
      EXPECT_NE(std::string(error.what()).find("ulimit -n"), std::string::npos) << error.what();
    }
  });
}

}  // namespace
}  // namespace forklift
