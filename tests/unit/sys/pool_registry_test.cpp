// SPDX-License-Identifier: MIT
#include "sys/pool_registry.hpp"

#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "support/in_child.hpp"

namespace forklift::sys {
namespace {

using test_support::run_in_child;

struct Pool {
  Pool() : entry(this, drop, this) {}
  static void drop(void* self) noexcept { ++static_cast<Pool*>(self)->num_drops; }

  int num_drops = 0;
  PoolRegistration entry;
};

TEST(PoolRegistry, holds_the_pools_that_live) {
  const auto before = PoolRegistry::size();
  {
    const Pool first;
    auto second = std::make_unique<Pool>();
    const Pool third;
    EXPECT_EQ(PoolRegistry::size(), before + 3);

    second.reset();
    EXPECT_EQ(PoolRegistry::size(), before + 2);
  }
  EXPECT_EQ(PoolRegistry::size(), before);
}

TEST(PoolRegistry, drops_all_pools_but_the_own_one_once) {
  const Pool first;
  const Pool own;
  const Pool last;

  const int status = run_in_child([&] {
    PoolRegistry::drop_others(&own);
    PoolRegistry::drop_others(&own);
    return first.num_drops == 1 && own.num_drops == 0 && last.num_drops == 1 &&
                   PoolRegistry::size() == 1
               ? 0
               : 1;
  });

  EXPECT_EQ(status, 0);
  EXPECT_EQ(first.num_drops, 0);
  EXPECT_EQ(PoolRegistry::size(), 3U);
}

TEST(PoolRegistry, drops_all_pools_when_there_is_no_own_one) {
  const Pool pool;

  const int status = run_in_child([&] {
    PoolRegistry::drop_others(nullptr);
    return pool.num_drops == 1 && PoolRegistry::size() == 0 ? 0 : 1;
  });

  EXPECT_EQ(status, 0);
}

TEST(PoolRegistry, a_pool_may_be_destroyed_while_it_is_dropped) {
  struct Holder {
    static void drop(void* self) noexcept {
      auto* const holder = static_cast<Holder*>(self);
      holder->entry.reset();
      holder->victim.reset();
    }
    std::unique_ptr<PoolRegistration> entry;
    std::unique_ptr<Pool> victim;
  };
  Holder holder;
  holder.victim = std::make_unique<Pool>();
  holder.entry = std::make_unique<PoolRegistration>(&holder, Holder::drop, &holder);

  const int status = run_in_child([] {
    PoolRegistry::drop_others(nullptr);
    return static_cast<int>(PoolRegistry::size());
  });

  EXPECT_EQ(status, 0);
}

TEST(PoolRegistry, a_child_may_make_and_end_pools) {
  auto inherited = std::make_unique<Pool>();

  const int status = run_in_child([&] {
    PoolRegistry::drop_others(nullptr);
    const Pool made;
    inherited.reset();
    return PoolRegistry::size() == 1 ? 0 : 1;
  });

  EXPECT_EQ(status, 0);
}

TEST(PoolRegistry, is_whole_and_free_in_children_forked_while_other_threads_change_it) {
  const Pool lasting;
  std::atomic<bool> is_over{false};
  std::jthread busy([&] {
    while (!is_over) {
      const Pool passing;
    }
  });

  int failures = 0;
  for (int i = 0; i < 200; ++i) {
    failures += run_in_child([&] {
      PoolRegistry::drop_others(nullptr);
      const Pool made;
      return lasting.num_drops == 1 ? 0 : 1;
    });
  }
  is_over = true;

  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace forklift::sys
