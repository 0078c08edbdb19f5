// SPDX-License-Identifier: MIT
// Workers that are threads: what they share with the program and with other workers.
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/loading_modes.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/sharded.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::message_of;
using test_support::Numbers;
using test_support::take_all;
using test_support::threads;
using test_support::Values;

class WorkerThreads : public test_support::LeavesNothing {};

TEST_F(WorkerThreads, share_the_dataset_and_fork_nothing) {
  std::atomic<int> calls = 0;
  std::set<std::thread::id> ids;
  std::mutex mutex;
  DataLoader loader(Numbers(40,
                            [&](std::size_t index) {
                              ++calls;
                              const std::lock_guard lock(mutex);
                              ids.insert(std::this_thread::get_id());
                              return index == 0 ? ::getpid() : identity(index);
                            }),
                    threads(2));
  const Values values = take_all(loader);
  EXPECT_EQ(values.front(), ::getpid());
  EXPECT_EQ(calls, 40);
  EXPECT_EQ(ids.size(), 2U);
  EXPECT_FALSE(ids.contains(std::this_thread::get_id()));
}

TEST_F(WorkerThreads, know_who_they_are_and_the_main_thread_does_not) {
  DataLoaderOptions options = threads(2);
  std::array<std::atomic<std::size_t>, 2> init = {7, 7};
  options.worker_init_fn = [&](std::size_t id) { init.at(id) = get_worker_info()->id; };
  options.generator = Generator(42);
  options.rank = 1;
  options.world = 3;
  std::array<char, 16> name = {};
  DataLoader loader(Numbers(8,
                            [&](std::size_t index) {
                              const WorkerInfo& info = *get_worker_info();
                              EXPECT_EQ(info.num_workers, 2U);
                              EXPECT_EQ(info.seed, 6909045637428952499U + info.id);
                              EXPECT_EQ(info.rank, 1U);
                              EXPECT_EQ(info.world, 3U);
                              if (index == 0) {
                                ::pthread_getname_np(::pthread_self(), name.data(), name.size());
                              }
                              return static_cast<std::int64_t>(info.id);
                            }),
                    options);
  EXPECT_EQ(take_all(loader), (Values{0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(init[0], 0U);
  EXPECT_EQ(init[1], 1U);
  EXPECT_EQ(std::string(name.data()), "forklift:w0");
  EXPECT_EQ(get_worker_info(), nullptr);
}

TEST_F(WorkerThreads, leave_the_generator_of_the_program_alone) {
  manual_seed(3);
  DataLoaderOptions options = threads(3);
  options.generator = Generator(1);
  DataLoader loader(test_support::numbers(20), options);
  take_all(loader);
  const std::uint64_t next = default_generator().random63();
  manual_seed(3);
  EXPECT_EQ(next, default_generator().random63());
}

struct NotConst {
  [[nodiscard]] static std::size_t size() { return 4; }
  int get(std::size_t /*index*/) { return ++calls; }
  int calls = 0;
};
struct StreamNotConst {
  Values iterate(const WorkerInfo& /*info*/) { return {++calls}; }
  int calls = 0;
};

// What a class with both getters does in the one that is not const is not for threads.
struct Both {
  [[nodiscard]] static std::size_t size() { return 4; }
  std::int64_t get(std::size_t /*index*/) { return ++calls; }
  [[nodiscard]] std::int64_t get(std::size_t index) const { return identity(index); }
  std::int64_t calls = 0;
};
struct BothStreams {
  Values iterate(const WorkerInfo& /*info*/) { return {++calls}; }
  [[nodiscard]] Values iterate(const WorkerInfo& info) const { return {identity(info.id)}; }
  std::int64_t calls = 0;
};

TEST_F(WorkerThreads, read_a_dataset_by_its_const_getters) {
  DataLoader map_style(Both{}, threads(2));
  Values values;
  for (auto& batch : map_style) {
    values.push_back(batch.data<std::int64_t>()[1]);
  }
  EXPECT_EQ(values, (Values{1, 3}));
  DataLoader iterable(BothStreams{}, threads(2));
  values.clear();
  for (auto& batch : iterable) {
    values.push_back(batch.data<std::int64_t>()[0]);
  }
  EXPECT_EQ(values, (Values{0, 1}));
}

struct OneStream {
  struct Stream {
    std::optional<int> next() { return std::nullopt; }
  };
  [[nodiscard]] Stream& iterate(const WorkerInfo& /*info*/) const { return *stream; }
  std::shared_ptr<Stream> stream = std::make_shared<Stream>();
};

TEST_F(WorkerThreads, are_refused_where_they_could_not_share_the_dataset) {
  const auto refused = [](auto dataset) {
    return message_of<InvalidOptions>([&] { DataLoader(std::move(dataset), threads(2)); });
  };
  const auto not_const = [calls = 0](std::int64_t sample) mutable { return sample + ++calls; };
  EXPECT_NE(refused(NotConst{}).find("worker_kind option should be process"), std::string::npos);
  EXPECT_NE(refused(NotConst{}).find("not const"), std::string::npos);
  EXPECT_NE(refused(StreamNotConst{}).find("not const"), std::string::npos);
  EXPECT_NE(refused(SharedDataset(std::make_shared<NotConst>())).find("not const"),
            std::string::npos);
  EXPECT_NE(refused(ConcatDataset(std::make_shared<NotConst>())).find("not const"),
            std::string::npos);
  EXPECT_NE(refused(Subset(NotConst{}, {1})).find("not const"), std::string::npos);
  EXPECT_NE(refused(map(NotConst{}, [](int sample) { return sample; })).find("not const"),
            std::string::npos);
  EXPECT_NE(refused(map(Numbers(4, identity), not_const)).find("not const"), std::string::npos);
  EXPECT_NE(refused(ChainDataset(StreamNotConst{})).find("not const"), std::string::npos);
  EXPECT_NE(refused(ShuffleBuffer(StreamNotConst{}, 5, 1)).find("not const"), std::string::npos);
  EXPECT_NE(refused(OneStream{}).find("returns one object to all of them"), std::string::npos);
  EXPECT_NO_THROW(DataLoader(NotConst{}, {.num_workers = 2}));
}

TEST_F(WorkerThreads, have_a_collate_fn_each) {
  const auto collate = [calls = std::int64_t{0}](std::vector<std::int64_t>) mutable {
    return ++calls;
  };
  DataLoader loader(Numbers(12, identity), threads(3), collate);
  Values values;
  for (const std::int64_t batch : loader) {
    values.push_back(batch);
  }
  EXPECT_EQ(values, (Values{1, 1, 1, 2, 2, 2}));

  EXPECT_NE(message_of<InvalidOptions>([&] {
              DataLoader refused(Numbers(12, identity),
                                 threads(3),
                                 [only = std::make_unique<int>(1)](std::vector<std::int64_t>) {
                                   return std::int64_t{*only};
                                 });
            }).find("collate_fn cannot be copied"),
            std::string::npos);
}

TEST_F(WorkerThreads, keep_signals_for_the_threads_of_the_program) {
  std::atomic<bool> blocked = false;
  std::atomic<bool> faults_blocked = true;
  DataLoader loader(Numbers(2,
                            [&](std::size_t index) {
                              sigset_t mask{};
                              ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
                              blocked = sigismember(&mask, SIGUSR1) == 1 &&
                                        sigismember(&mask, SIGINT) == 1;
                              faults_blocked = sigismember(&mask, SIGSEGV) == 1;
                              return identity(index);
                            }),
                    threads(1));
  take_all(loader);
  EXPECT_TRUE(blocked);
  EXPECT_FALSE(faults_blocked);
  sigset_t mask{};
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGUSR1), 0);
}

// The threads are not in the fork; what is left of them there is only dropped.
TEST_F(WorkerThreads, do_not_hold_up_a_fork_of_the_program) {
  DataLoaderOptions options = threads(2);
  options.persistent_workers = true;
  auto loader = std::make_unique<DataLoader<Numbers>>(Numbers(40, identity), options);
  auto batch = loader->begin();
  EXPECT_EQ((*batch).data<std::int64_t>()[1], 1);
  const int status = test_support::run_in_child([&] {
    try {
      static_cast<void>(*++batch);
      return 1;
    } catch (const StateError&) {
      // As it should be.
    }
    const Values values = take_all(*loader);  // with threads of its own
    { auto gone = std::move(batch); }
    loader.reset();
    return values == test_support::first_n(40) ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ((*++batch).data<std::int64_t>()[1], 3);
}

TEST_F(WorkerThreads, run_beside_processes) {
  DataLoader by_threads(Numbers(40, identity), threads(2));
  DataLoader by_processes(Numbers(40, identity), {.batch_size = 2, .num_workers = 2});
  auto one = by_threads.begin();
  auto other = by_processes.begin();
  for (; one != by_threads.end() && other != by_processes.end(); ++one, ++other) {
    ASSERT_EQ((*one).data<std::int64_t>()[0], (*other).data<std::int64_t>()[0]);
  }
  EXPECT_TRUE(one == by_threads.end());
}

TEST_F(WorkerThreads, leave_batches_that_outlive_the_loader) {
  std::vector<Tensor> kept;
  {
    DataLoaderOptions options = threads(2);
    options.persistent_workers = true;
    DataLoader loader(Numbers(20, identity), options);
    for (auto& batch : loader) {
      kept.push_back(batch);
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].data<std::int64_t>()[1], identity(2 * i + 1));
  }
}

TEST_F(WorkerThreads, go_on_where_processes_stopped) {
  const test_support::Sharded sharded({9, 4});
  DataLoaderOptions options{.batch_size = 2, .num_workers = 2};
  DataLoader whole(sharded, options);
  DataLoader stopped(sharded, options);
  Values expected;
  for (auto& batch : whole) {
    expected.push_back(batch.data<std::int64_t>()[0]);
  }
  Values got;
  for (auto& batch : stopped) {
    got.push_back(batch.data<std::int64_t>()[0]);
    if (got.size() == 3) {
      break;
    }
  }
  DataLoader other(sharded, threads(2));
  other.load_state_dict(stopped.state_dict());
  for (auto& batch : other) {
    got.push_back(batch.data<std::int64_t>()[0]);
  }
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace forklift
