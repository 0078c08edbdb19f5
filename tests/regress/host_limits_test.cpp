// SPDX-License-Identifier: MIT
// Found by an attack: what a host program may do to itself, or its user to it, ended it, never
// ended, or took what was not the loader's. Semantics 1.2.
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
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

class HostLimits : public test_support::LeavesNothing {};

TEST_F(HostLimits, may_cancel_a_thread_that_waits_for_a_batch) {
  const SharedCount may_go_on;
  std::atomic<bool> waits = false;
  std::thread thread([&] {
    DataLoader loader(Numbers(4,
                              [&](std::size_t index) {
                                while (may_go_on.value() == 0) {
                                  ::usleep(1000);
                                }
                                return identity(index);
                              }),
                      {.num_workers = 1});
    auto batch = loader.begin();
    waits = true;
    EXPECT_FALSE(batch == loader.end());
    ::pthread_testcancel();
    ADD_FAILURE() << "not cancelled";
  });
  EXPECT_TRUE(test_support::eventually([&] { return waits.load(); }));
  ASSERT_EQ(::pthread_cancel(thread.native_handle()), 0);
  ++may_go_on.value();
  thread.join();
}

TEST_F(HostLimits, closing_all_descriptors_is_one_error_and_the_end_of_the_pass) {
  EXPECT_EQ(test_support::run_in_child([] {
              DataLoader loader(Numbers(40,
                                        [](std::size_t index) {
                                          ::usleep(2000);
                                          return identity(index);
                                        }),
                                {.num_workers = 2});
              auto batch = loader.begin();
              int errors = 0;
              ::closefrom(3);
              for (int step = 0; step < 50; ++step, ++batch) {
                try {
                  if (batch == loader.end()) {
                    return errors == 1 ? 0 : 2;
                  }
                } catch (const SystemError&) {
                  ++errors;
                }
              }
              return 3;
            }),
            0);
}

// Bytes of address space in use; with a sanitizer that is terabytes.
rlim_t address_space_in_use() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

TEST_F(HostLimits, with_an_address_space_limit_has_room_for_itself_and_other_loaders) {
  EXPECT_EQ(test_support::run_in_child([] {
              const rlim_t room = address_space_in_use() + (rlim_t{8} << 30U);
              const rlimit limit{room, room};
              if (::setrlimit(RLIMIT_AS, &limit) != 0) {
                return 1;
              }
              DataLoader first(Numbers(40, identity), {.num_workers = 2});
              DataLoader second(Numbers(40, identity), {.num_workers = 2});
              DataLoader third(Numbers(40, identity), {});
              const bool all = take_all(first).size() == 40 && take_all(second).size() == 40 &&
                               take_all(third).size() == 40;
              const std::vector<char> buffer(std::size_t{300} << 20U);
              return all && buffer.back() == 0 ? 0 : 2;
            }),
            0);
}

TEST_F(HostLimits, with_fewer_processors_than_workers_is_warned) {
  EXPECT_EQ(test_support::run_in_child([] {
              cpu_set_t one;
              CPU_ZERO(&one);
              CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
              if (::sched_setaffinity(0, sizeof one, &one) != 0) {
                return 1;
              }
              std::string text;
              DataLoader loader(Numbers(4, identity),
                                {.num_workers = 2,
                                 .on_warning = [&](std::string_view warning) { text += warning; }});
              static_cast<void>(take_all(loader));
              return text.find("2 workers") != std::string::npos &&
                             text.find("use is 1,") != std::string::npos
                         ? 0
                         : 2;
            }),
            0);
}

}  // namespace
}  // namespace forklift
