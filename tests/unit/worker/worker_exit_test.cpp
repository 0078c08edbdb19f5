// SPDX-License-Identifier: MIT
// Semantics 6.3.
#include "worker/worker_exit.hpp"

#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "sys/child_process.hpp"
#include "sys/child_setup.hpp"

#include <forklift/error.hpp>

namespace forklift::worker {
namespace {

using Kind = sys::ExitStatus::Kind;

WorkerDied::Record described(Kind kind, int value) {
  WorkerDied::Record record;
  describe_exit({.kind = kind, .value = value}, record);
  return record;
}

TEST(WorkerExit, names_the_signal_and_what_it_often_means) {
  const auto killed = described(Kind::kSignaled, SIGKILL);

  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_FALSE(killed.exit_status.has_value());
  EXPECT_NE(killed.hint.find("memory"), std::string::npos);
  EXPECT_NE(described(Kind::kSignaled, SIGBUS).hint.find("shrank"), std::string::npos);
  for (const int signal : {SIGSEGV, SIGFPE, SIGILL, SIGABRT}) {
    EXPECT_NE(described(Kind::kSignaled, signal).hint.find("num_workers = 0"), std::string::npos)
        << signal;
  }
}

TEST(WorkerExit, has_no_hint_for_a_signal_that_somebody_sent) {
  EXPECT_EQ(described(Kind::kSignaled, SIGTERM).signal, SIGTERM);
  EXPECT_EQ(described(Kind::kSignaled, SIGTERM).hint, "");
}

TEST(WorkerExit, counts_status_0_as_an_end_like_any_other) {
  const auto exited = described(Kind::kExited, 0);

  EXPECT_EQ(exited.signal, 0);
  EXPECT_EQ(exited.exit_status, 0);
  EXPECT_NE(exited.hint.find("called exit"), std::string::npos);
}

TEST(WorkerExit, tells_forklifts_own_statuses_apart) {
  const std::string usual = described(Kind::kExited, 1).hint;
  for (const int status :
       {sys::kExitStartFailed, sys::kExitUncaught, sys::kExitFdsClosed, sys::kExitThreadEnded}) {
    const auto exited = described(Kind::kExited, status);
    EXPECT_EQ(exited.exit_status, status);
    EXPECT_NE(exited.hint, usual) << status;
    EXPECT_NE(exited.hint, "") << status;
  }
}

TEST(WorkerExit, says_nothing_of_a_status_that_is_lost) {
  const auto lost = described(Kind::kUnknown, 0);

  EXPECT_EQ(lost.signal, 0);
  EXPECT_FALSE(lost.exit_status.has_value());
  EXPECT_EQ(lost.hint, "");
}

}  // namespace
}  // namespace forklift::worker
