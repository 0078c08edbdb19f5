// SPDX-License-Identifier: MIT
// Iterators and their loader: several at once, moved, outlived, shared; their order and their
// sampler. Semantics 3.1, 3.5, 3.7 and 6.6.
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/numbers.hpp"
#include "support/one_pass.hpp"
#include "support/process_guard.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::identity;
using test_support::Numbers;
using test_support::SharedCount;
using test_support::Values;
using Loader = DataLoader<Numbers>;

class Iterators : public test_support::LeavesNothing {};

Values rest_of(Loader::iterator batch) {
  Values values;
  for (; batch != std::default_sentinel; ++batch) {
    const auto data = (*batch).data<std::int64_t>();
    values.insert(values.end(), data.begin(), data.end());
  }
  return values;
}

Values from_to(std::int64_t first, std::int64_t end) {
  Values values;
  for (std::int64_t value = first; value < end; ++value) {
    values.push_back(value);
  }
  return values;
}

TEST_F(Iterators, of_one_loader_run_side_by_side) {
  Loader loader(Numbers(30, identity), {.num_workers = 2});
  auto first = loader.begin();
  auto second = loader.begin();
  for (std::int64_t i = 0; i < 10; ++i, ++first) {
    EXPECT_EQ((*first).item<std::int64_t>(), i);
    if (i % 2 == 0) {
      EXPECT_EQ((*second).item<std::int64_t>(), i / 2);
      ++second;
    }
  }
  EXPECT_EQ(rest_of(loader.begin()), from_to(0, 30));
  EXPECT_EQ(rest_of(std::move(second)), from_to(5, 30));
  EXPECT_EQ(rest_of(std::move(first)), from_to(10, 30));
}

TEST_F(Iterators, outlive_a_loader_that_is_moved_and_destroyed) {
  for (const int num_workers : {0, 2}) {
    for (const bool persistent : {false, true}) {
      std::optional<Loader::iterator> batch;
      std::optional<Tensor> kept;
      {
        Loader loader(
            Numbers(30, identity),
            {.num_workers = num_workers, .persistent_workers = persistent && num_workers > 0});
        batch.emplace(loader.begin());
        kept.emplace(**batch);
        ++*batch;
        auto moved = std::make_unique<Loader>(std::move(loader));
        EXPECT_EQ((**batch).item<std::int64_t>(), 1);
        moved.reset();
      }
      EXPECT_EQ(rest_of(*std::move(batch)), from_to(1, 30));
      EXPECT_EQ(kept->item<std::int64_t>(), 0);
    }
  }
}

TEST_F(Iterators, may_be_left_by_an_exception) {
  Loader loader(Numbers(30, identity), {.num_workers = 2, .persistent_workers = true});
  for (int epoch = 0; epoch < 3; ++epoch) {
    EXPECT_THROW(
        {
          for (auto& batch : loader) {
            if (batch.item<std::int64_t>() == 3) {
              throw std::domain_error("of the training step");
            }
          }
        },
        std::domain_error);
  }
  EXPECT_EQ(rest_of(loader.begin()), from_to(0, 30));
}

bool is_asleep(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) {
      return line.find("S (sleeping)") != std::string::npos;
    }
  }
  return false;
}

TEST_F(Iterators, may_be_handed_to_a_thread_but_not_used_by_two) {
  for (const bool persistent : {false, true}) {
    const SharedCount may_go_on;
    Loader loader(Numbers(8,
                          [&](std::size_t index) {
                            while (index == 5 && may_go_on.value() == 0) {
                              ::usleep(1000);
                            }
                            return identity(index);
                          }),
                  {.batch_size = 2, .num_workers = 1, .persistent_workers = persistent});
    auto batch = loader.begin();
    ++batch;
    ++batch;  // the next comparison waits for the sample that waits for us
    std::atomic<pid_t> waiting = 0;
    std::thread other([&, shared = batch]() mutable {
      waiting = ::gettid();
      EXPECT_FALSE(shared == loader.end());
    });
    EXPECT_TRUE(test_support::eventually([&] { return waiting != 0 && is_asleep(waiting); }));

    EXPECT_THROW(static_cast<void>(batch == loader.end()), StateError);
    if (persistent) {  // it would take the workers from under the other thread
      EXPECT_THROW(static_cast<void>(loader.begin()), StateError);
    }

    ++may_go_on.value();
    other.join();
    // One after the other is fine.
    std::thread([&] { EXPECT_EQ(rest_of(loader.begin()), from_to(0, 8)); }).join();
  }
}

TEST_F(Iterators, follow_the_epoch_that_the_loader_hands_to_its_sampler) {
  for (const int num_workers : {0, 2}) {
    for (const bool persistent : {false, true}) {
      Loader loader(Numbers(30, identity),
                    {.batch_size = 4,
                     .sampler = DistributedSampler(30, {.num_replicas = 3, .rank = 2, .seed = 5}),
                     .num_workers = num_workers,
                     .persistent_workers = persistent && num_workers > 0});
      const auto share_of_epoch = [](std::size_t epoch) {
        DistributedSampler sampler(30, {.num_replicas = 3, .rank = 2, .seed = 5});
        sampler.set_epoch(epoch);
        const auto indices = test_support::one_pass(sampler);
        return Values(indices.begin(), indices.end());
      };
      EXPECT_EQ(rest_of(loader.begin()), share_of_epoch(0));
      EXPECT_EQ(rest_of(loader.begin()), share_of_epoch(0)) << "as in PyTorch";
      loader.set_epoch(4);
      auto batch = loader.begin();
      if (num_workers > 0) {
        loader.set_epoch(9);  // the pass has begun
      }
      EXPECT_EQ(rest_of(std::move(batch)), share_of_epoch(4));
      loader.set_epoch(9);
      EXPECT_EQ(rest_of(loader.begin()), share_of_epoch(9));
    }
  }
}

TEST_F(Iterators, that_were_never_begun_stand_at_the_end) {
  EXPECT_TRUE(Loader::iterator() == std::default_sentinel);
}

TEST_F(Iterators, hear_the_sampler_s_exception_after_the_batches_before_it) {
  for (const int num_workers : {0, 1, 2}) {
    for (const std::size_t good : {std::size_t{0}, std::size_t{2}, std::size_t{5}}) {
      struct Failing {
        std::size_t good;
        struct Cursor {
          std::size_t good;
          std::size_t next_index = 0;
          std::optional<std::size_t> next() {
            if (next_index == good) {
              throw std::domain_error("the sampler broke");
            }
            return next_index++;
          }
        };
        [[nodiscard]] Cursor iterate() const { return {.good = good}; }
      };
      DataLoaderOptions options{.sampler = Failing{good}, .num_workers = num_workers};
      if (num_workers > 0) {
        options.prefetch_factor = 3;  // thrown while begin() asks for the window, too
      }
      Loader loader(Numbers(10, identity), options);
      auto batch = loader.begin();
      for (std::size_t i = 0; i < good; ++i, ++batch) {
        ASSERT_EQ((*batch).item<std::int64_t>(), identity(i));
      }
      EXPECT_THROW(static_cast<void>(batch == loader.end()), std::domain_error);
      EXPECT_THROW(static_cast<void>(batch == loader.end()), std::domain_error);
      ++batch;
      EXPECT_TRUE(batch == loader.end());
    }
  }
}

}  // namespace
}  // namespace forklift
