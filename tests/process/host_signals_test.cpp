// SPDX-License-Identifier: MIT
// Signals that the program around a loader gets: its death, interrupts, a timer. Semantics 3.4, 6.1
// and 6.5.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/process_guard.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::Numbers;
using test_support::SharedCount;
using test_support::take_all;

class HostSignals : public test_support::LeavesNothing {};

void wait_for(const SharedCount& count, int value) {
  EXPECT_TRUE(test_support::eventually([&] { return count.value() >= value; }));
}

// A host in a process of its own, killed once its workers have begun `num_begun` samples. Its
// workers come to this process, so that childless means that they are gone.
void expect_workers_end_with_their_host(int signal, int num_begun, bool stuck) {
  const SharedCount begun;
  const pid_t host = ::fork();
  if (host == 0) {
    static_cast<void>(::setpgid(0, 0));
    ::signal(signal, SIG_DFL);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    DataLoader loader(Numbers(400,
                              [&](std::size_t index) {
                                ++begun.value();
                                while (stuck) {
                                  ::pause();
                                }
                                return identity(index);
                              }),
                      {.num_workers = 2});
    const auto batch = loader.begin();
    for (;;) {
      ::pause();
    }
  }
  wait_for(begun, num_begun);
  ASSERT_EQ(::kill(signal == SIGINT ? -host : host, signal), 0);
  const int status = test_support::wait_for_pid(host);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), signal);
  EXPECT_TRUE(test_support::eventually(test_support::is_childless)) << "after signal " << signal;
}

TEST_F(HostSignals, workers_with_a_full_window_end_with_it) {
  for (const int signal : {SIGKILL, SIGTERM, SIGSEGV, SIGABRT}) {
    expect_workers_end_with_their_host(signal, 4, false);
  }
}

TEST_F(HostSignals, workers_stuck_in_a_sample_end_with_it) {
  for (const int signal : {SIGKILL, SIGTERM}) {
    expect_workers_end_with_their_host(signal, 2, true);
  }
}

TEST_F(HostSignals, dies_of_an_interrupt_from_the_terminal_and_its_workers_with_it) {
  expect_workers_end_with_their_host(SIGINT, 4, false);
}

TEST_F(HostSignals, that_handles_interrupts_goes_on_since_workers_ignore_them) {
  struct sigaction ignore {};
  ignore.sa_handler = [](int) {};
  struct sigaction before {};
  ASSERT_EQ(::sigaction(SIGINT, &ignore, &before), 0);
  const Numbers pids(200, [](std::size_t) { return static_cast<std::int64_t>(::getpid()); });
  DataLoader loader(pids, {.num_workers = 2});
  std::set<std::int64_t> seen;
  std::size_t samples = 0;
  for (auto& batch : loader) {
    const auto pid = batch.item<std::int64_t>();
    seen.insert(pid);
    ++samples;
    EXPECT_EQ(::kill(static_cast<pid_t>(pid), SIGINT), 0);
  }
  ::sigaction(SIGINT, &before, nullptr);
  EXPECT_EQ(samples, 200U);
  EXPECT_EQ(seen.size(), 2U);
}

// SIGALRM every millisecond, its handler without SA_RESTART: every blocking call is interrupted.
class EveryMillisecond {
 public:
  EveryMillisecond() {
    struct sigaction action {};
    action.sa_handler = &handle;
    EXPECT_EQ(::sigaction(SIGALRM, &action, &before_), 0);
    const itimerval every_ms{{0, 1000}, {0, 1000}};
    EXPECT_EQ(::setitimer(ITIMER_REAL, &every_ms, nullptr), 0);
  }
  EveryMillisecond(const EveryMillisecond&) = delete;
  EveryMillisecond& operator=(const EveryMillisecond&) = delete;
  ~EveryMillisecond() {
    const itimerval off{};
    ::setitimer(ITIMER_REAL, &off, nullptr);
    struct sigaction after {};
    ::sigaction(SIGALRM, &before_, &after);
    EXPECT_EQ(after.sa_handler, &handle);  // the host's handler was left alone
  }

 private:
  static void handle(int) {}
  struct sigaction before_ {};
};

TEST_F(HostSignals, with_a_timer_signal_gets_every_batch) {
  for (const int num_workers : {0, 2}) {
    const EveryMillisecond timer;
    DataLoader loader(Numbers(4000,
                              [](std::size_t index) {
                                if (index % 64 == 0) {
                                  ::usleep(500);
                                }
                                return identity(index);
                              }),
                      {.batch_size = 8, .num_workers = num_workers});
    const auto values = take_all(loader);
    ASSERT_EQ(values.size(), 4000U);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values[i], identity(i));
    }
  }
}

TEST_F(HostSignals, with_a_timer_signal_times_out_not_before_its_time) {
  const EveryMillisecond timer;
  const SharedCount may_go_on;
  DataLoader loader(Numbers(2,
                            [&](std::size_t index) {
                              while (may_go_on.value() == 0) {
                                ::usleep(1000);
                              }
                              return identity(index);
                            }),
                    {.num_workers = 1, .timeout = 0.5});
  auto batch = loader.begin();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(static_cast<void>(batch == loader.end()), TimeoutError);
  const auto waited = std::chrono::steady_clock::now() - start;
  ++may_go_on.value();
  EXPECT_GE(waited, std::chrono::milliseconds(500));
  EXPECT_LT(waited, std::chrono::seconds(5));  // signals do not start the time anew
}

}  // namespace
}  // namespace forklift
