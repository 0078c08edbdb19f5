// SPDX-License-Identifier: MIT
// Semantics 6.1.
#include "sys/child_process.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/process_guard.hpp"
#include "sys/child_setup.hpp"
#include "sys/pid_fd.hpp"
#include "sys/pool_registry.hpp"

#include <forklift/error.hpp>

namespace forklift::sys {
namespace {

using test_support::ProcessGuard;
using Kind = ExitStatus::Kind;

class ChildProcessTest : public testing::Test {
 protected:
  void TearDown() override {
    self_.reset();
    guard_.expect_clean();
  }

  [[nodiscard]] ChildPlan plan() const {
    return {.name = "forklift:w0", .hooks = {}, .parent_pidfd = self_.get(), .own_pool = nullptr};
  }
  [[nodiscard]] ChildProcess start(const std::function<int()>& body) const {
    return ChildProcess::start(plan(), body);
  }
  // The status of a child with that body.
  [[nodiscard]] ExitStatus status_of(const std::function<int()>& body) const {
    return start(body).reap_until(std::nullopt).value();
  }

  ProcessGuard guard_;
  UniqueFd self_ = open_pid_fd(::getpid());
};

[[noreturn]] void sleep_for_ever() {
  for (;;) {
    ::pause();
  }
}

TEST_F(ChildProcessTest, leaves_with_the_status_of_its_body) {
  EXPECT_EQ(status_of([] { return 7; }), (ExitStatus{Kind::kExited, 7}));
  EXPECT_EQ(status_of([] { return 0; }), (ExitStatus{Kind::kExited, 0}));
}

TEST_F(ChildProcessTest, tells_the_signal_that_killed_it) {
  EXPECT_EQ(status_of([]() -> int { std::abort(); }), (ExitStatus{Kind::kSignaled, SIGABRT}));
}

TEST_F(ChildProcessTest, knows_pid_and_parent) {
  ChildProcess child = start([parent = ::getpid()] { return ::getppid() == parent ? 0 : 1; });
  const pid_t pid = child.pid();

  EXPECT_GT(pid, 0);
  EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{Kind::kExited, 0}));
  EXPECT_EQ(child.pid(), pid);
}

TEST_F(ChildProcessTest, is_not_reaped_while_it_runs) {
  ChildProcess child = start([]() -> int { sleep_for_ever(); });

  EXPECT_FALSE(child.is_gone());
  EXPECT_EQ(child.try_reap(), std::nullopt);
  EXPECT_EQ(child.reap_until(std::chrono::steady_clock::time_point{}), std::nullopt);
  EXPECT_TRUE(child.kill(SIGTERM));
  EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{Kind::kSignaled, SIGTERM}));
  EXPECT_TRUE(child.is_gone());
  EXPECT_FALSE(child.kill(SIGTERM));
  EXPECT_EQ(child.try_reap(), (ExitStatus{Kind::kSignaled, SIGTERM}));
}

TEST_F(ChildProcessTest, is_killed_and_reaped_by_its_destructor_also_when_stopped) {
  const ChildProcess running = start([]() -> int { sleep_for_ever(); });
  const ChildProcess stopped = start([]() -> int {
    static_cast<void>(std::raise(SIGSTOP));
    sleep_for_ever();
  });
}

TEST_F(ChildProcessTest, moves_with_its_child) {
  ChildProcess from = start([] { return 3; });
  ChildProcess to(std::move(from));
  ChildProcess last;
  last = std::move(to);

  EXPECT_EQ(last.reap_until(std::nullopt), (ExitStatus{Kind::kExited, 3}));
}

TEST_F(ChildProcessTest, an_exception_in_the_body_has_its_status) {
  EXPECT_EQ(status_of([]() -> int { throw std::runtime_error("out"); }),
            (ExitStatus{Kind::kExited, kExitUncaught}));
}

TEST_F(ChildProcessTest, the_end_of_the_body_s_thread_is_the_end_of_the_child) {
  EXPECT_EQ(status_of([]() -> int { ::pthread_exit(nullptr); }),
            (ExitStatus{Kind::kExited, kExitThreadEnded}));
}

TEST_F(ChildProcessTest, runs_no_destructor_of_the_parent_and_writes_nothing_twice) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  {
    struct Teller {
      explicit Teller(int number) : fd(number) {}
      Teller(const Teller&) = delete;
      Teller& operator=(const Teller&) = delete;
      ~Teller() { static_cast<void>(::write(fd, "d", 1)); }
      int fd;
    };
    const Teller teller(ends[1]);
    const std::unique_ptr<FILE, int (*)(FILE*)> stream(::fdopen(::dup(ends[1]), "w"), std::fclose);
    static_cast<void>(std::fputs("text", stream.get()));

    EXPECT_EQ(status_of([] { return 0; }), (ExitStatus{Kind::kExited, 0}));
  }
  ::close(ends[1]);
  std::array<char, 64> text{};
  const ssize_t length = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(length)), "textd");
}

TEST_F(ChildProcessTest, has_its_name) {
  EXPECT_EQ(status_of([] {
              std::array<char, 16> name{};
              ::prctl(PR_GET_NAME, name.data());
              return std::string(name.data()) == "forklift:w0" ? 0 : 1;
            }),
            (ExitStatus{Kind::kExited, 0}));
}

extern "C" void do_nothing(int) {}

// Puts back dispositions and mask at its end.
class KeptSignals {
 public:
  KeptSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &actions_[i]);
    }
    ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
  }
  KeptSignals(const KeptSignals&) = delete;
  KeptSignals& operator=(const KeptSignals&) = delete;
  ~KeptSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], &actions_[i], nullptr);
    }
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  static constexpr std::array kSignals{SIGTERM, SIGUSR1, SIGINT, SIGPIPE};

  std::array<struct sigaction, kSignals.size()> actions_{};
  sigset_t mask_{};
};

TEST_F(ChildProcessTest, starts_with_default_signals_and_an_empty_mask_but_without_interrupts) {
  const KeptSignals kept;
  struct sigaction action {};
  action.sa_handler = do_nothing;
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGUSR1, &action, nullptr);
  ::sigaction(SIGINT, &action, nullptr);
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  sigset_t mask{};
  sigaddset(&mask, SIGUSR2);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);

  const ExitStatus status = status_of([] {
    const auto handler = [](int signal) {
      struct sigaction current {};
      ::sigaction(signal, nullptr, &current);
      return current.sa_handler;
    };
    sigset_t current{};
    ::pthread_sigmask(SIG_SETMASK, nullptr, &current);
    int bits = handler(SIGTERM) == SIG_DFL && handler(SIGUSR1) == SIG_DFL ? 0 : 1;
    bits |= handler(SIGINT) == SIG_IGN && handler(SIGPIPE) == SIG_IGN ? 0 : 2;
    for (int signal = 1; signal < NSIG; ++signal) {
      bits |= sigismember(&current, signal) == 1 ? 4 : 0;
    }
    return bits;
  });

  EXPECT_EQ(status, (ExitStatus{Kind::kExited, 0}));
  struct sigaction after {};
  ::sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(after.sa_handler, do_nothing);
  sigset_t mask_after{};
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_after);
  EXPECT_EQ(sigismember(&mask_after, SIGUSR2), 1);
  EXPECT_EQ(sigismember(&mask_after, SIGUSR1), 0);
}

constinit std::string* called = nullptr;

TEST_F(ChildProcessTest, calls_the_hooks_around_the_fork) {
  std::string calls;
  called = &calls;
  ChildPlan with_hooks = plan();
  with_hooks.hooks = {.before = [] { *called += 'b'; },
                      .parent = [] { *called += 'p'; },
                      .child = [] { *called += 'c'; }};

  ChildProcess child = ChildProcess::start(with_hooks, [&] { return calls == "bc" ? 0 : 1; });

  EXPECT_EQ(calls, "bp");
  EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{Kind::kExited, 0}));
}

TEST_F(ChildProcessTest, a_hook_that_throws_in_the_child_is_a_failed_start) {
  ChildPlan with_hooks = plan();
  with_hooks.hooks.child = [] { throw std::runtime_error("out"); };

  ChildProcess child = ChildProcess::start(with_hooks, [] { return 0; });

  EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{Kind::kExited, kExitStartFailed}));
}

TEST_F(ChildProcessTest, a_hook_that_throws_in_the_parent_leaves_no_child) {
  ChildPlan with_hooks = plan();
  with_hooks.hooks.parent = [] { throw std::runtime_error("out"); };

  EXPECT_THROW(static_cast<void>(ChildProcess::start(with_hooks, [] { return 0; })),
               std::runtime_error);
}

TEST_F(ChildProcessTest, drops_the_pools_that_are_not_its_own) {
  const auto count = [](void* self) noexcept { ++*static_cast<int*>(self); };
  int num_own = 0;
  int num_other = 0;
  const PoolRegistration own(&num_own, count, &num_own);
  const PoolRegistration other(&num_other, count, &num_other);
  ChildPlan with_pool = plan();
  with_pool.own_pool = &num_own;

  ChildProcess child =
      ChildProcess::start(with_pool, [&] { return num_own == 0 && num_other == 1 ? 0 : 1; });

  EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{Kind::kExited, 0}));
  EXPECT_EQ(num_other, 0);
}

TEST_F(ChildProcessTest, can_have_children_of_its_own) {
  EXPECT_EQ(status_of([] {
              const UniqueFd self = open_pid_fd(::getpid());
              const ChildPlan inner{
                  .name = "inner", .hooks = {}, .parent_pidfd = self.get(), .own_pool = nullptr};
              ChildProcess child = ChildProcess::start(inner, [] { return 5; });
              return child.reap_until(std::nullopt).value().value;
            }),
            (ExitStatus{Kind::kExited, 5}));
}

TEST_F(ChildProcessTest, copied_into_another_process_touches_the_child_not) {
  ChildProcess child = start([]() -> int { sleep_for_ever(); });

  const int status = test_support::run_in_child([&] {
    const bool does_nothing = !child.kill(SIGKILL) && !child.try_reap().has_value();
    child = ChildProcess();  // Its destructor.
    return does_nothing ? 0 : 1;
  });

  EXPECT_EQ(status, 0);
  EXPECT_FALSE(child.is_gone());
}

TEST_F(ChildProcessTest, tells_an_unknown_end_when_the_host_took_the_status) {
  ChildProcess child = start([] { return 4; });
  EXPECT_NE(test_support::wait_for_pid(child.pid()), -1);

  EXPECT_TRUE(child.is_gone());
  EXPECT_EQ(child.reap_until(std::nullopt), ExitStatus{});
  EXPECT_FALSE(child.kill(SIGKILL));
}

TEST_F(ChildProcessTest, tells_an_unknown_end_when_the_host_ignores_its_children) {
  static_cast<void>(std::signal(SIGCHLD, SIG_IGN));

  EXPECT_EQ(status_of([] { return 4; }).kind, Kind::kUnknown);

  static_cast<void>(std::signal(SIGCHLD, SIG_DFL));
}

TEST_F(ChildProcessTest, is_ended_though_the_host_closed_its_pidfd) {
  ChildProcess child = start([]() -> int { sleep_for_ever(); });
  ::close(child.pidfd().get());

  EXPECT_EQ(child.try_reap(), std::nullopt);
  EXPECT_TRUE(child.kill(SIGKILL));
  EXPECT_EQ(child.reap_until(std::nullopt), (ExitStatus{Kind::kSignaled, SIGKILL}));
}

TEST_F(ChildProcessTest, outlives_the_thread_that_forked_it) {
  ChildProcess child;
  std::thread([&] { child = start([]() -> int { sleep_for_ever(); }); }).join();

  // A death signal bound to the thread would have come by now or comes within this bounded look.
  EXPECT_EQ(child.reap_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(50)),
            std::nullopt);
}

TEST_F(ChildProcessTest, only_finds_thread_counts_where_the_program_has_them) {
  // The test program has neither OpenMP nor libtorch.
  const ThreadCountSetters setters = find_thread_count_setters();

  EXPECT_EQ(setters.aten, nullptr);
  EXPECT_EQ(setters.openmp, nullptr);
}

constinit int last_count = 0;

TEST_F(ChildProcessTest, sets_the_thread_counts_it_was_given) {
  const ThreadCountSetters setters{.aten = [](int count) { last_count += count; },
                                   .openmp = [](int count) { last_count += 10 * count; }};

  limit_to_one_thread(setters);

  EXPECT_EQ(last_count, 11);
}

}  // namespace
}  // namespace forklift::sys
