// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/request_queue.hpp"
#include "support/kill_rig.hpp"
#include "support/single_step.hpp"
#include "support/wrong_queue.hpp"

// The proof that a worker may be killed anywhere: not by chance, which mostly hits workers that
// wait, but after each single instruction of claim, touch and publish.
namespace forklift::testing {
namespace {

using Reserving = WrongQueue<Flaw::kReservesFirst>;
using Storing = WrongQueue<Flaw::kStoresClaim>;

constexpr std::size_t kRequests = 4;
constexpr int kSingleKills = 300;
constexpr int kLapSleeps = 110;
constexpr int kLongWork = 1000;  // An unoptimised or instrumented worker takes more instructions.
constexpr int kMaxReach = 4000;  // Beyond it the clock, not the proof, would grow.

template <class Queue>
SteppedChild start_worker(KillRig<Queue>& rig, std::uint8_t worker) {
  return SteppedChild([&rig, worker] { rig.work(worker); });
}

// Instructions of a worker that has the queue for itself, from its mark to the last publish.
template <class Queue>
int length_of_work() {
  KillRig<Queue> rig(kRequests);
  SteppedChild worker = start_worker(rig, 0);
  return worker.step(1'000'000);
}

// One worker, killed after exactly `steps` instructions.
template <class Queue>
Damage kill_after(int steps) {
  KillRig<Queue> rig(kRequests);
  SteppedChild worker = start_worker(rig, 0);
  static_cast<void>(worker.step(steps));
  worker.kill();
  rig.recover(0);
  return rig.settle();
}

// Two workers: some instructions of the first, some of the second, then one in turn for a while,
// then one of them is killed. The other goes on after the parent has recovered what the dead one
// held.
template <class Queue>
Damage kill_one_of_two(int first_steps, int second_steps, std::uint8_t victim) {
  constexpr int kTurns = 16;
  KillRig<Queue> rig(kRequests);
  std::array<SteppedChild, 2> workers{start_worker(rig, 0), start_worker(rig, 1)};
  static_cast<void>(workers[0].step(first_steps));
  static_cast<void>(workers[1].step(second_steps));
  for (int turn = 0; turn < kTurns; ++turn) {
    static_cast<void>(workers[0].step(1));
    static_cast<void>(workers[1].step(1));
  }

  const auto survivor = static_cast<std::uint8_t>(1 - victim);
  workers[victim].kill();
  rig.recover(victim);
  workers[survivor].finish();
  workers[survivor].kill();
  rig.recover(survivor);
  return rig.settle();
}

// A worker stands still while another serves a whole lap and the places are posted again; then it
// goes on for a while and is killed.
template <class Queue>
Damage kill_after_sleeping_a_lap(int steps_before, int steps_after) {
  KillRig<Queue> rig(2 * kRequests);
  SteppedChild sleeper = start_worker(rig, 0);
  static_cast<void>(sleeper.step(steps_before));
  SteppedChild other = start_worker(rig, 1);
  other.finish();
  other.kill();
  rig.recover(1);  // Posts the second lap into the places of the first.
  static_cast<void>(sleeper.step(steps_after));
  sleeper.kill();
  rig.recover(0);
  return rig.settle();
}

// Instructions to kill within: those of the first two requests.
template <class Queue>
int reach() {
  return std::min(length_of_work<Queue>() / 2, kMaxReach);
}

// After how many instructions to kill: after each one at first, then as many times again.
std::vector<int> kill_points(int length) {
  std::vector<int> points;
  for (int steps = 0; steps < std::max(length, kSingleKills);
       steps += steps < kSingleKills ? 1 : 1 + length / kSingleKills) {
    points.push_back(steps);
  }
  return points;
}

template <class Queue>
Damage kill_all_over_a_grid(int size) {
  // Strides over the reach, each residue met somewhere.
  const int stride = std::max(1, reach<Queue>() / size);
  Damage damage;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      damage.add(kill_one_of_two<Queue>(i * stride + j % stride,
                                        j * stride + i % stride,
                                        static_cast<std::uint8_t>((i + j) % 2)));
    }
  }
  return damage;
}

class KillEveryStep : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SteppedChild::is_possible()) {
      GTEST_SKIP() << "ptrace is refused here";
    }
  }
};

TEST_F(KillEveryStep, leaves_each_request_completed_once_when_one_worker_dies) {
  const int length = reach<ipc::RequestQueue>();
  std::printf("%d instructions for two requests\n", length);
  ASSERT_GT(length, 30) << "the work is not what is stepped through";

  for (const int steps : kill_points(length)) {
    const Damage damage = kill_after<ipc::RequestQueue>(steps);
    ASSERT_TRUE(damage.is_none()) << "after " << steps << " instructions: lost " << damage.lost
                                  << ", doubled " << damage.doubled << ", stray " << damage.stray;
  }
}

TEST_F(KillEveryStep, leaves_each_request_completed_once_when_one_of_two_workers_dies) {
  const int size = length_of_work<ipc::RequestQueue>() > kLongWork ? 20 : 45;

  const Damage damage = kill_all_over_a_grid<ipc::RequestQueue>(size);

  EXPECT_EQ(damage.lost, 0);
  EXPECT_EQ(damage.doubled, 0);
  EXPECT_EQ(damage.stray, 0);
}

TEST_F(KillEveryStep, keeps_a_worker_that_slept_for_a_lap_from_claiming_what_is_posted_later) {
  const int length = reach<ipc::RequestQueue>();

  for (int before = 0; before < length; before += 1 + length / kLapSleeps) {
    for (const int after : {10, length / 8, length / 2}) {
      const Damage damage = kill_after_sleeping_a_lap<ipc::RequestQueue>(before, after);
      ASSERT_TRUE(damage.is_none()) << before << " instructions, a lap, " << after << " more";
    }
  }
}

TEST_F(KillEveryStep, finds_a_queue_guilty_that_reserves_an_entry_before_it_claims_it) {
  Damage damage;
  for (const int steps : kill_points(reach<Reserving>())) {
    damage.add(kill_after<Reserving>(steps));
  }

  EXPECT_GT(damage.lost, 0);
}

TEST_F(KillEveryStep, finds_a_queue_guilty_that_claims_by_a_plain_store) {
  const Damage damage = kill_all_over_a_grid<Storing>(20);

  EXPECT_GT(damage.doubled, 0);
}

}  // namespace
}  // namespace forklift::testing
