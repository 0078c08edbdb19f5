// SPDX-License-Identifier: MIT
#include "ipc/ring.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ipc/ring_layout.hpp"
#include "support/in_child.hpp"
#include "sys/memory_budget.hpp"

#include <forklift/error.hpp>

namespace forklift::ipc {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

RingPlan plan(std::uint32_t num_workers,
              std::uint32_t num_slots,
              std::optional<std::uint64_t> max_bytes) {
  return {.num_workers = num_workers,
          .num_slots = num_slots,
          .queue_capacity = 8,
          .max_bytes = max_bytes};
}

bool is_inside(std::span<const std::byte> part, std::span<const std::byte> whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

TEST(Ring, shares_its_budget_equally_among_the_slots) {
  EXPECT_EQ(Ring(plan(2, 6, 12 * kMiB)).slot_budget(), 2 * kMiB);
  EXPECT_EQ(Ring(plan(0, 3, 200'000)).slot_budget(), 66'666U);
}

TEST(Ring, gives_each_slot_extents_of_its_own) {
  const Ring ring(plan(2, 3, 9 * kMiB));
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    const auto control = ring.control_extent(slot);
    const auto payload = ring.payload_extent(slot);
    EXPECT_GE(control.size(), ring.slot_budget());
    EXPECT_GE(payload.size(), ring.slot_budget());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(payload.data()) % (2 * kMiB), 0U);
    EXPECT_EQ(control.data() + control.size(), payload.data());
    EXPECT_EQ(reinterpret_cast<std::byte*>(&ring.header(slot)), control.data());
    EXPECT_EQ(reinterpret_cast<std::byte*>(ring.indices(slot)),
              control.data() + sizeof(SlotHeader));
    if (slot > 0) {
      EXPECT_EQ(ring.payload_extent(slot - 1).data() + ring.payload_extent(slot - 1).size(),
                control.data());
    }
  }
}

TEST(Ring, keeps_the_areas_of_workers_out_of_the_slots) {
  const Ring ring(plan(100, 3, 9 * kMiB));
  const auto* slots = ring.control_extent(0).data();

  EXPECT_LE(reinterpret_cast<const std::byte*>(&ring.worker_control(99) + 1), slots);
  EXPECT_FALSE(
      is_inside({reinterpret_cast<const std::byte*>(&ring.worker_control(0)), 1},
                {reinterpret_cast<const std::byte*>(&ring.control()), sizeof(RingControl)}));
  EXPECT_NE(&ring.worker_control(0), &ring.worker_control(1));
}

TEST(Ring, says_which_layout_it_has) {
  const Ring ring(plan(2, 3, 9 * kMiB));
  EXPECT_EQ(ring.control().layout_version, kLayoutVersion);
  EXPECT_EQ(ring.control().num_workers, 2U);
  EXPECT_EQ(ring.header(2).layout_version, kLayoutVersion);
}

TEST(Ring, gives_each_worker_queues_of_its_own) {
  Ring ring(plan(2, 3, 9 * kMiB));
  auto parent = ring.request_queue(0);
  auto first = ring.request_queue(0);
  auto second = ring.request_queue(1);

  ASSERT_TRUE(parent.try_post(2).has_value());

  EXPECT_FALSE(second.has_posted());
  const auto claim = first.try_claim(0);
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(claim->slot, 2U);
}

TEST(Ring, empties_its_queues_for_new_workers) {
  Ring ring(plan(2, 3, 9 * kMiB));
  ASSERT_TRUE(ring.request_queue(1).try_post(2).has_value());
  ring.control().stop.store(1);
  ring.worker_control(1).parent_sleeps.store(1);

  ring.format_queues();

  EXPECT_FALSE(ring.request_queue(1).has_posted());
  EXPECT_EQ(ring.control().stop.load(), 0U);
  EXPECT_EQ(ring.worker_control(1).parent_sleeps.load(), 0U);
}

TEST(Ring, is_shared_with_children_when_it_is_made_for_workers) {
  for (const std::uint32_t num_workers : {0U, 1U}) {
    const Ring ring(plan(num_workers, 3, 9 * kMiB));
    const int status = test_support::run_in_child([&] {
      ring.payload_extent(1)[5] = std::byte{42};
      return 0;
    });
    ASSERT_EQ(status, 0);
    EXPECT_EQ(ring.payload_extent(1)[5],
              std::byte{num_workers == 0 ? std::uint8_t{0} : std::uint8_t{42}});
  }
}

TEST(Ring, gives_pages_back_and_nothing_else) {
  for (const std::uint32_t num_workers : {0U, 1U}) {
    Ring ring(plan(num_workers, 3, 9 * kMiB));
    const auto payload = ring.payload_extent(1);
    std::ranges::fill(payload.first(static_cast<std::size_t>(kMiB)), std::byte{7});
    ring.payload_extent(2)[0] = std::byte{8};

    ring.populate(1, 0, 2 * kMiB);
    ring.give_back(1, 4096, kMiB);
    ring.give_back(1, 100, 100);

    EXPECT_EQ(payload[4095], std::byte{7});
    EXPECT_EQ(payload[4096], std::byte{0});
    EXPECT_EQ(payload[static_cast<std::size_t>(kMiB) - 1], std::byte{0});
    EXPECT_EQ(ring.payload_extent(2)[0], std::byte{8});
  }
}

TEST(Ring, promises_its_budget_for_as_long_as_it_lives) {
  const std::uint64_t before = sys::Promise::total();
  {
    const Ring ring(plan(0, 3, 9 * kMiB));
    EXPECT_EQ(sys::Promise::total(), before + 9 * kMiB);
  }
  EXPECT_EQ(sys::Promise::total(), before);
}

TEST(Ring, takes_no_more_than_half_of_the_memory_by_itself) {
  const std::uint64_t available = sys::available_memory().bytes;
  const Ring ring(plan(2, 6, std::nullopt));

  EXPECT_GT(ring.slot_budget(), 0U);
  EXPECT_LE(ring.slot_budget() * 6, available);
}

TEST(Ring, stays_below_the_limit_of_file_size) {
  const int status = test_support::run_in_child([] {
    const rlimit limit{.rlim_cur = 64 * kMiB, .rlim_max = 64 * kMiB};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) {
      return 1;
    }
    const Ring ring(plan(1, 4, 4096 * kMiB));
    // A byte beyond the limit would end this process by a signal.
    ring.payload_extent(3).back() = std::byte{1};
    return ring.slot_budget() <= 8 * kMiB && ring.slot_budget() > 7 * kMiB ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

TEST(Ring, names_the_limit_of_file_size_when_it_is_too_low) {
  const int status = test_support::run_in_child([] {
    const rlimit limit{.rlim_cur = 2 * kMiB, .rlim_max = 2 * kMiB};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) {
      return 1;
    }
    try {
      const Ring ring(plan(1, 4, 4096 * kMiB));
    } catch (const ResourceError& error) {
      return error.knob().find("ulimit -f") != std::string::npos ? 0 : 2;
    }
    return 3;
  });
  EXPECT_EQ(status, 0);
}

// "No limit" is more than an address space has; several loaders may say it.
TEST(Ring, takes_a_budget_without_limit) {
  std::vector<std::unique_ptr<Ring>> rings;
  for (int i = 0; i < 5; ++i) {
    rings.push_back(std::make_unique<Ring>(plan(1, 3, UINT64_MAX)));
    rings.push_back(std::make_unique<Ring>(plan(0, 1, UINT64_MAX)));
    EXPECT_GE(rings.back()->slot_budget(), std::uint64_t{1} << 40U);
  }
}

}  // namespace
}  // namespace forklift::ipc
