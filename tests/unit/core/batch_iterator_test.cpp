// SPDX-License-Identifier: MIT
// Semantics 3.1 and 3.5.
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fake_slot.hpp"

#include <forklift/batch_iterator.hpp>
#include <forklift/detail/engine_handle.hpp>
#include <forklift/detail/pack.hpp>
#include <forklift/error.hpp>

namespace forklift {
namespace {

static_assert(std::input_iterator<BatchIterator<int>>);
static_assert(std::sentinel_for<std::default_sentinel_t, BatchIterator<int>>);

/// A pass that does what it is told, step by step: each step gives a number as its batch or throws.
class ScriptedPass : public detail::Pass {
 public:
  using Step = std::function<int()>;
  explicit ScriptedPass(std::vector<Step> steps) : steps_(std::move(steps)) {}

  bool next(detail::RawBatch& batch) override {
    ++num_calls;
    if (at_ == steps_.size()) {
      return false;
    }
    const int number = steps_[at_++]();
    detail::SlotCursor cursor(slot_.memory());
    detail::pack(cursor, number);
    batch = slot_.raw(cursor);
    return true;
  }

  int num_calls = 0;

 private:
  std::vector<Step> steps_;
  std::size_t at_ = 0;
  test::FakeSlot slot_;
};

ScriptedPass::Step give(int number) {
  return [number] { return number; };
}
template <class E>
ScriptedPass::Step fail(E error) {
  return [error]() -> int { throw error; };
}
WorkerError worker_error(const std::string& message) {
  WorkerError::Record record;
  record.message = message;
  return WorkerError(record);
}

struct Iteration {
  explicit Iteration(std::vector<ScriptedPass::Step> steps)
      : pass(std::make_shared<ScriptedPass>(std::move(steps))),
        it(pass) {}
  std::shared_ptr<ScriptedPass> pass;
  BatchIterator<int> it;
  [[nodiscard]] bool at_end() const { return it == std::default_sentinel; }
};

TEST(BatchIterator, fetches_nothing_before_it_is_compared) {
  Iteration loop({give(1)});
  EXPECT_EQ(loop.pass->num_calls, 0);
  EXPECT_FALSE(loop.at_end());
  EXPECT_FALSE(loop.at_end());
  EXPECT_EQ(*loop.it, 1);
  EXPECT_EQ(loop.pass->num_calls, 1);
}

TEST(BatchIterator, gives_the_batches_in_order_and_then_stays_at_its_end) {
  Iteration loop({give(1), give(2)});
  std::vector<int> numbers;

  for (; !loop.at_end(); ++loop.it) {
    numbers.push_back(*loop.it);
  }

  EXPECT_EQ(numbers, (std::vector<int>{1, 2}));
  ++loop.it;
  EXPECT_TRUE(loop.at_end());
  EXPECT_THROW(static_cast<void>(*loop.it), StateError);
}

TEST(BatchIterator, lets_go_of_the_pass_at_its_end) {
  Iteration loop({});
  const std::weak_ptr<ScriptedPass> watch = loop.pass;
  loop.pass.reset();

  EXPECT_TRUE(loop.at_end());
  EXPECT_TRUE(watch.expired());
}

TEST(BatchIterator, throws_the_error_of_a_batch_until_it_is_passed) {
  Iteration loop({give(1), fail(worker_error("two")), give(3)});
  ++loop.it;

  EXPECT_FALSE(Iteration({give(1)}).at_end());
  EXPECT_THROW(static_cast<void>(loop.at_end()), WorkerError);
  EXPECT_THROW(static_cast<void>(*loop.it), WorkerError);
  ++loop.it;
  EXPECT_EQ(*loop.it, 3);
}

TEST(BatchIterator, skips_batches_that_were_never_looked_at) {
  Iteration loop({give(1), fail(worker_error("two")), give(3), give(4)});

  ++loop.it;
  ++loop.it;
  EXPECT_EQ(*loop.it, 3);
  loop.it++;
  EXPECT_EQ(*loop.it, 4);
}

TEST(BatchIterator, skips_no_more_batches_than_it_was_told_over_errors) {
  Iteration loop(
      {fail(worker_error("one")), fail(ResourceError("a batch", 2, 1, "knob")), give(3)});

  ++loop.it;
  ++loop.it;
  EXPECT_EQ(*loop.it, 3);
}

TEST(BatchIterator, survives_the_skip_of_very_many_errors) {
  constexpr int kMany = 20'000;
  std::vector<ScriptedPass::Step> steps(kMany, fail(worker_error("bad")));
  steps.push_back(give(7));
  Iteration loop(std::move(steps));
  for (int i = 0; i < kMany; ++i) {
    ++loop.it;
  }
  EXPECT_EQ(*loop.it, 7);
}

TEST(BatchIterator, never_skips_the_death_of_a_worker) {
  Iteration loop({give(1), fail(WorkerDied({}))});
  ++loop.it;
  ++loop.it;

  EXPECT_THROW(static_cast<void>(loop.at_end()), WorkerDied);
  EXPECT_THROW(static_cast<void>(loop.at_end()), WorkerDied);
  ++loop.it;
  EXPECT_TRUE(loop.at_end());
}

TEST(BatchIterator, never_skips_the_exception_of_a_sampler) {
  Iteration loop({give(1), fail(std::out_of_range("sampler"))});
  ++loop.it;
  ++loop.it;

  EXPECT_THROW(static_cast<void>(loop.at_end()), std::out_of_range);
}

TEST(BatchIterator, waits_again_after_a_timeout) {
  Iteration loop({fail(TimeoutError("late")), give(1), give(2)});

  EXPECT_THROW(static_cast<void>(loop.at_end()), TimeoutError);
  EXPECT_EQ(*loop.it, 1);
  ++loop.it;
  EXPECT_EQ(*loop.it, 2);
}

TEST(BatchIterator, skips_nothing_when_it_is_advanced_after_a_timeout) {
  Iteration loop({fail(TimeoutError("late")), give(1)});

  EXPECT_THROW(static_cast<void>(loop.at_end()), TimeoutError);
  ++loop.it;
  EXPECT_EQ(*loop.it, 1);
}

TEST(BatchIterator, keeps_a_skip_over_a_timeout) {
  Iteration loop({give(1), fail(TimeoutError("late")), give(2), give(3)});
  ++loop.it;
  ++loop.it;

  EXPECT_THROW(static_cast<void>(loop.at_end()), TimeoutError);
  EXPECT_EQ(*loop.it, 3);
}

TEST(BatchIterator, does_not_keep_a_state_error) {
  Iteration loop({fail(StateError("busy")), give(1)});

  EXPECT_THROW(static_cast<void>(loop.at_end()), StateError);
  EXPECT_EQ(*loop.it, 1);
}

TEST(BatchIterator, shares_its_pass_with_its_copies) {
  Iteration loop({give(1), give(2)});
  BatchIterator<int> copy = loop.it;

  EXPECT_EQ(*loop.it, 1);
  EXPECT_EQ(&*copy, &*loop.it);
  ++copy;
  EXPECT_EQ(*loop.it, 2);
}

TEST(BatchIterator, gives_a_batch_that_may_be_changed) {
  Iteration loop({give(1)});

  *loop.it = 5;

  EXPECT_EQ(*loop.it, 5);
}

}  // namespace
}  // namespace forklift
