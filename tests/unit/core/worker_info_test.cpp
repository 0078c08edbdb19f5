// SPDX-License-Identifier: MIT
// Semantics 4.7.
#include <gtest/gtest.h>

#include "support/in_child.hpp"

#include <forklift/worker_info.hpp>

namespace forklift {
namespace {

TEST(WorkerInfo, is_null_in_the_main_process) {
  EXPECT_EQ(get_worker_info(), nullptr);
}

TEST(WorkerInfo, is_seen_only_in_the_process_that_set_it) {
  const WorkerInfo info{.id = 2, .num_workers = 3, .seed = 7};

  const int status = test_support::run_in_child([&] {
    detail::set_worker_info(&info);
    const WorkerInfo* seen = get_worker_info();
    return seen != nullptr && seen->id == 2 && seen->num_workers == 3 && seen->seed == 7 ? 0 : 1;
  });

  EXPECT_EQ(status, 0);
  EXPECT_EQ(get_worker_info(), nullptr);
}

}  // namespace
}  // namespace forklift
