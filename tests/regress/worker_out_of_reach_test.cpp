// SPDX-License-Identifier: MIT
// Found by an attack: a worker whose process lived on without the descriptors by which it is
// reached was waited for without end.
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/misbehaving.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::expect_death;
using test_support::with_bad_sample;

class WorkerOutOfReach : public test_support::LeavesNothing {};

// The process lives on and does nothing for us any more.
TEST_F(WorkerOutOfReach, another_program_in_the_worker_s_place_is_a_death) {
  DataLoader loader(with_bad_sample(200, 5, [] { ::execl("/bin/sleep", "sleep", "60", nullptr); }),
                    {.batch_size = 2, .num_workers = 2});
  const auto start = std::chrono::steady_clock::now();

  const WorkerDied error = expect_death(loader);

  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(error.dataset_index(), 5U);
  EXPECT_NE(std::string(error.what()).find("exec"), std::string::npos) << error.what();
}

// The numbers of our descriptors belong to others then.
TEST_F(WorkerOutOfReach, descriptors_closed_and_used_for_something_else_are_a_death) {
  DataLoader loader(with_bad_sample(200,
                                    5,
                                    [] {
                                      ::closefrom(3);
                                      for (int i = 0; i < 20; ++i) {
                                        static_cast<void>(::eventfd(0, 0));
                                      }
                                    }),
                    {.batch_size = 2, .num_workers = 2});

  const WorkerDied error = expect_death(loader);

  EXPECT_NE(std::string(error.what()).find("closed file descriptors"), std::string::npos)
      << error.what();
}

}  // namespace
}  // namespace forklift
