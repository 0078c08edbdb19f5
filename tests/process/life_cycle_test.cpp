// SPDX-License-Identifier: MIT
// Loaders over their life: passes, workers, batches and processes that come and go.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/made_dataset.hpp"
#include "support/process_guard.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using Numbers = test_support::Made<std::int64_t>;

class LifeCycle : public test_support::LeavesNothing {};

std::int64_t identity(std::size_t index) {
  return static_cast<std::int64_t>(index);
}

std::vector<std::int64_t> take_all(DataLoader<Numbers>& loader) {
  std::vector<std::int64_t> out;
  for (auto& batch : loader) {
    const auto data = batch.data<std::int64_t>();
    out.insert(out.end(), data.begin(), data.end());
  }
  return out;
}

// A number that forked processes share.
class SharedCount {
 public:
  SharedCount()
      : page_(::mmap(nullptr,
                     sizeof(std::atomic<int>),
                     PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS,
                     -1,
                     0)),
        count_(new (page_) std::atomic<int>(0)) {}
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;
  ~SharedCount() { ::munmap(page_, sizeof(std::atomic<int>)); }
  [[nodiscard]] std::atomic<int>& value() const { return *count_; }

 private:
  void* page_;
  std::atomic<int>* count_;
};

TEST_F(LifeCycle, the_window_is_workers_times_prefetch_factor) {
  for (int num_workers : {1, 2}) {
    for (int prefetch : {1, 3}) {
      const SharedCount started;
      DataLoader loader(Numbers(60,
                                [&](std::size_t index) {
                                  ++started.value();
                                  return identity(index);
                                }),
                        {.num_workers = num_workers, .prefetch_factor = prefetch});
      EXPECT_EQ(started.value(), 0);
      auto batch = loader.begin();
      const int window = num_workers * prefetch;
      ASSERT_TRUE(test_support::eventually([&] { return started.value() == window; }));
      for (int taken = 1; taken <= 10; ++taken, ++batch) {
        ASSERT_FALSE(batch == loader.end());
        // The delivery asked for one more, and for no other: with the consumer paused here the
        // count comes to rest.
        ASSERT_TRUE(test_support::eventually([&] { return started.value() == window + taken; }));
      }
      EXPECT_EQ(started.value(), window + 10);
    }
  }
}

TEST_F(LifeCycle, persistent_workers_keep_their_pids_and_their_dataset) {
  const Numbers pids(8, [calls = std::make_shared<std::int64_t>(0)](std::size_t) {
    return ::getpid() * 1000 + (*calls)++;
  });
  for (const bool persistent : {true, false}) {
    DataLoader loader(pids, {.batch_size = 2, .num_workers = 2, .persistent_workers = persistent});
    std::set<std::int64_t> seen_pids;
    std::int64_t most_calls = 0;
    for (int epoch = 0; epoch < 3; ++epoch) {
      for (const std::int64_t value : take_all(loader)) {
        seen_pids.insert(value / 1000);
        most_calls = std::max(most_calls, value % 1000);
      }
    }
    EXPECT_EQ(seen_pids.size(), persistent ? 2U : 6U);
    EXPECT_EQ(most_calls, persistent ? 11 : 3);
  }
}

TEST_F(LifeCycle, an_older_iterator_of_a_persistent_loader_is_refused) {
  DataLoader loader(Numbers(40, identity),
                    {.batch_size = 2, .num_workers = 2, .persistent_workers = true});
  auto older = loader.begin();
  ASSERT_FALSE(older == loader.end());
  auto newer = loader.begin();
  ++older;
  EXPECT_THROW(static_cast<void>(older == loader.end()), StateError);
  EXPECT_EQ((*newer).data<std::int64_t>()[0], 0);
}

TEST_F(LifeCycle, leaving_early_a_thousand_times_leaves_nothing) {
  DataLoader kept(Numbers(40, identity),
                  {.batch_size = 2, .num_workers = 2, .persistent_workers = true});
  for (int round = 0; round < 1000; ++round) {
    for (auto& batch : kept) {
      ASSERT_EQ(batch.data<std::int64_t>()[0], 0);
      break;
    }
  }
  for (int round = 0; round < 100; ++round) {
    DataLoader loader(Numbers(40, identity), {.batch_size = 2, .num_workers = 2});
    auto batch = loader.begin();
    ASSERT_EQ((*batch).data<std::int64_t>()[1], 1);
  }
  EXPECT_EQ(take_all(kept).size(), 40U);
}

TEST_F(LifeCycle, ten_thousand_epochs_of_one_batch) {
  for (int num_workers : {0, 1}) {
    DataLoader loader(
        Numbers(3, identity),
        {.batch_size = 3, .num_workers = num_workers, .persistent_workers = num_workers > 0});
    for (int epoch = 0; epoch < 10'000; ++epoch) {
      ASSERT_EQ(take_all(loader), std::vector<std::int64_t>({0, 1, 2}));
    }
  }
}

TEST_F(LifeCycle, every_batch_may_be_kept) {
  for (int num_workers : {0, 2}) {
    std::vector<Tensor> kept;
    {
      DataLoader loader(Numbers(2000, identity), {.batch_size = 2, .num_workers = num_workers});
      for (auto& batch : loader) {
        kept.push_back(batch);
      }
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      ASSERT_EQ(kept[i].data<std::int64_t>()[1], static_cast<std::int64_t>(2 * i + 1));
    }
  }
}

TEST_F(LifeCycle, busy_workers_do_not_hold_up_destruction) {
  const auto start = std::chrono::steady_clock::now();
  {
    // Each sample takes a while, and the flag to leave is looked at between two samples.
    DataLoader loader(Numbers(1'000'000,
                              [](std::size_t index) {
                                ::usleep(1000);
                                return identity(index);
                              }),
                      {.batch_size = 10'000, .num_workers = 2});
    auto batch = loader.begin();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

bool is_asleep(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) {
      return line.find("S (sleeping)") != std::string::npos;
    }
  }
  return false;
}

TEST_F(LifeCycle, a_loader_may_be_handed_to_another_thread_but_not_shared) {
  const SharedCount may_go_on;
  DataLoader loader(Numbers(8,
                            [&](std::size_t index) {
                              while (index == 5 && may_go_on.value() == 0) {
                                ::usleep(1000);
                              }
                              return identity(index);
                            }),
                    {.batch_size = 2, .num_workers = 1, .persistent_workers = true});
  auto batch = loader.begin();
  ++batch;
  ++batch;  // the next comparison waits for the sample that waits for us
  std::atomic<pid_t> waiting = 0;
  std::thread other([&] {
    waiting = ::gettid();
    EXPECT_FALSE(batch == loader.end());
  });
  ASSERT_TRUE(test_support::eventually([&] { return waiting != 0 && is_asleep(waiting); }));

  EXPECT_THROW(static_cast<void>(loader.begin()),
               StateError);  // it would take the workers from under the other thread

  ++may_go_on.value();
  other.join();
  std::thread([&] {
    EXPECT_EQ(take_all(loader).size(), 8U);
  }).join();  // one after the other is fine
}

TEST_F(LifeCycle, a_sampler_that_throws_is_heard_after_the_batches_before_it) {
  struct Failing {
    struct Cursor {
      std::size_t next_index = 0;
      std::optional<std::size_t> next() {
        if (next_index == 5) {
          throw std::runtime_error("the sampler broke");
        }
        return next_index++;
      }
    };
    [[nodiscard]] Cursor iterate() const { return {}; }
  };
  for (int num_workers : {0, 1, 2}) {
    DataLoader loader(Numbers(10, identity), {.sampler = Failing{}, .num_workers = num_workers});
    auto batch = loader.begin();
    for (std::int64_t expected = 0; expected < 5; ++expected, ++batch) {
      ASSERT_EQ((*batch).item<std::int64_t>(), expected);
    }
    EXPECT_THROW(static_cast<void>(batch == loader.end()), std::runtime_error);
    ++batch;
    EXPECT_TRUE(batch == loader.end());
  }
}

TEST_F(LifeCycle, out_of_order_each_batch_comes_once) {
  DataLoader loader(Numbers(40,
                            [](std::size_t index) {
                              if (index == 0) {
                                ::usleep(200'000);
                              }
                              return identity(index);
                            }),
                    {.num_workers = 2, .in_order = false});
  const auto values = take_all(loader);
  EXPECT_EQ(std::set<std::int64_t>(values.begin(), values.end()).size(), 40U);
  EXPECT_EQ(values.size(), 40U);
  EXPECT_NE(values.front(), 0);  // the slow one did not hold back the others
}

TEST_F(LifeCycle, open_runs_once_in_each_worker_and_such_a_dataset_is_destroyed_there) {
  const SharedCount opened;
  const SharedCount destroyed;
  const SharedCount opened_in_main;
  struct Opening {
    const SharedCount* opened;
    const SharedCount* destroyed;
    const SharedCount* opened_in_main;
    pid_t main = ::getpid();
    bool is_open = false;
    Opening(const SharedCount* o, const SharedCount* d, const SharedCount* m)
        : opened(o),
          destroyed(d),
          opened_in_main(m) {}
    Opening(Opening&& other) noexcept = default;
    Opening& operator=(Opening&&) = delete;
    ~Opening() {
      if (is_open && ::getpid() != main) {
        ++destroyed->value();
      }
    }
    void open(const WorkerInfo& info) {
      is_open = true;
      ++opened->value();
      if (get_worker_info() == nullptr || get_worker_info()->id != info.id) {
        ++opened_in_main->value();
      }
    }
    [[nodiscard]] std::size_t size() const { return 8; }
    [[nodiscard]] std::int64_t get(std::size_t index) const {
      return static_cast<std::int64_t>(index) + (is_open ? 0 : 100);
    }
  };
  DataLoader loader(Opening(&opened, &destroyed, &opened_in_main),
                    {.batch_size = 2, .num_workers = 2});
  for (auto& batch : loader) {
    EXPECT_LT(batch.data<std::int64_t>()[0], 100);
  }
  EXPECT_EQ(opened.value(), 2);
  EXPECT_EQ(destroyed.value(), 2);
  EXPECT_EQ(opened_in_main.value(), 0);
}

TEST_F(LifeCycle, a_fork_of_the_host_may_drop_a_live_loader_and_exit) {
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

TEST_F(LifeCycle, a_timer_signal_of_the_host_disturbs_nothing) {
  struct sigaction action {};
  action.sa_handler = [](int) {};  // without SA_RESTART: every blocking call is interrupted
  struct sigaction before {};
  ASSERT_EQ(::sigaction(SIGALRM, &action, &before), 0);
  const itimerval every_ms{{0, 1000}, {0, 1000}};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &every_ms, nullptr), 0);

  DataLoader loader(Numbers(4000,
                            [](std::size_t index) {
                              if (index % 64 == 0) {
                                ::usleep(500);
                              }
                              return identity(index);
                            }),
                    {.batch_size = 8, .num_workers = 2});
  const auto values = take_all(loader);

  const itimerval off{};
  ::setitimer(ITIMER_REAL, &off, nullptr);
  struct sigaction after {};
  ::sigaction(SIGALRM, &before, &after);
  EXPECT_EQ(after.sa_handler, action.sa_handler);  // the host's handler was left alone
  ASSERT_EQ(values.size(), 4000U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<std::int64_t>(i));
  }
}

TEST_F(LifeCycle, too_few_descriptors_is_one_error_and_32_are_enough) {
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
