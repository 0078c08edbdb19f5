// SPDX-License-Identifier: MIT
// Workers that are threads, in a program that does unusual things.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "support/in_child.hpp"
#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/numbers.hpp"
#include "support/process_guard.hpp"
#include "support/set_ups.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::message_of;
using test_support::Numbers;
using test_support::threads;
using test_support::Values;

class OddThreads : public test_support::LeavesNothing {};

TEST_F(OddThreads, that_fork_workers_of_their_own_do_not_lend_them_their_name) {
  const Numbers inner(4, [](std::size_t) {
    return static_cast<std::int64_t>(get_worker_info()->id * 10 + get_worker_info()->num_workers);
  });
  DataLoader loader(Numbers(2,
                            [&](std::size_t) {
                              DataLoader nested(inner, {.num_workers = 2});
                              std::int64_t names = 0;
                              for (auto& batch : nested) {
                                names = names * 100 + batch.data<std::int64_t>()[0];
                              }
                              return names;
                            }),
                    threads(1));
  Values names;
  for (auto& batch : loader) {
    const auto data = batch.data<std::int64_t>();
    names.assign(data.begin(), data.end());
  }
  EXPECT_EQ(names, (Values{2120212, 2120212}));
}

}  // namespace
}  // namespace forklift
