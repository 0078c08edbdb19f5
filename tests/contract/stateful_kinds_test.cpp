// SPDX-License-Identifier: MIT
// pytorch/data test/stateful_dataloader/test_state_dict.py: kinds of datasets and samplers, each
// stopped at three places and gone on with, in every mode. Semantics 8.2, 8.4, 8.5, 8.6 and 10.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/leaves_nothing.hpp"
#include "support/message_of.hpp"
#include "support/no_seam.hpp"
#include "support/numbers.hpp"
#include "support/resume.hpp"
#include "support/sharded.hpp"
#include "support/shared_count.hpp"

#include <forklift/forklift.hpp>

namespace forklift {
namespace {

using test_support::expect_no_seam;
using test_support::joined;
using test_support::Kept;
using test_support::numbers;
using test_support::Sharded;
using test_support::SharedCount;
using test_support::take;
using test_support::Values;
using TestStatefulDataLoaderIterable = test_support::LeavesNothing;
using TestNotStatefulSamplerSDL = test_support::LeavesNothing;
using TestStatefulSampler = test_support::LeavesNothing;
using TestStatefulDataLoaderMap = test_support::LeavesNothing;
using TestStatefulDataLoaderSampler = test_support::LeavesNothing;
using TestStatefulDataLoaderGenerator = test_support::LeavesNothing;
using TestStatefulDataLoaderGeneratorNoState = test_support::LeavesNothing;

// Ways in which upstream runs its cases.
struct Interrupted {
  int num_workers = 0;
  std::optional<Count> batch_size;
  bool persistent = false;
  std::size_t interrupt = 0;

  [[nodiscard]] DataLoaderOptions options() const {
    return {.batch_size = batch_size,
            .num_workers = num_workers,
            .persistent_workers = persistent,
            .on_warning = [](std::string_view) {}};
  }
};

template <class Check>
void for_each_run(Check&& check) {
  for (const auto& [num_workers, persistent] : {std::pair{0, false}, {3, false}, {3, true}}) {
    for (const std::optional<Count>& batch_size : {std::optional<Count>(), {7}}) {
      for (const std::size_t interrupt : {0U, 1U, 10U}) {
        SCOPED_TRACE(std::to_string(num_workers) + " workers, batches " +
                     (batch_size ? "of 7" : "off") + ", stopped after " +
                     std::to_string(interrupt));
        check(Interrupted{num_workers, batch_size, persistent, interrupt});
      }
    }
  }
}

TEST_F(TestStatefulDataLoaderIterable, resumes_with_workers_of_unequal_length) {
  const SharedCount starts;
  for_each_run([&](const Interrupted& run) {
    const Kept dataset(
        run.num_workers == 0 ? std::vector<std::size_t>{100} : std::vector<std::size_t>{0, 100, 37},
        starts);
    expect_no_seam([&] { return DataLoader(dataset, run.options()); }, run.interrupt);
  });
}

TEST_F(TestStatefulDataLoaderMap, resumes) {
  for_each_run([](const Interrupted& run) {
    DataLoaderOptions options = run.options();
    options.shuffle = true;
    expect_no_seam(
        [&] {
          options.generator = Generator(13);
          return DataLoader(numbers(100), options);
        },
        run.interrupt);
  });
}

TEST_F(TestStatefulDataLoaderSampler, resumes) {
  for_each_run([](const Interrupted& run) {
    DataLoaderOptions options = run.options();
    expect_no_seam(
        [&] {
          options.sampler = RandomSampler(100, {.replacement = true, .generator = Generator(13)});
          return DataLoader(numbers(100), options);
        },
        run.interrupt);
  });
}

// Upstream's generators are ranges here: they are read again from their beginning.
class Ranged {
 public:
  [[nodiscard]] Values iterate(const WorkerInfo& worker) const {
    Values values;
    for (std::size_t number = 0; number < 80 + 10 * worker.id; ++number) {
      values.push_back(Sharded::hundreds(worker.id, number));
    }
    return values;
  }
};

TEST_F(TestStatefulDataLoaderGenerator, resumes) {
  for_each_run([](const Interrupted& run) {
    expect_no_seam([&] { return DataLoader(Ranged(), run.options()); }, run.interrupt);
  });
}

TEST_F(TestStatefulDataLoaderGeneratorNoState, resumes) {
  for_each_run([](const Interrupted& run) {
    expect_no_seam([&] { return DataLoader(Sharded({80, 3, 41}), run.options()); }, run.interrupt);
  });
}

TEST_F(TestNotStatefulSamplerSDL, what_was_taken_is_passed_over) {
  struct Backwards {
    struct Cursor {
      std::size_t left = 20;
      std::optional<std::size_t> next() { return left > 0 ? std::optional(--left) : std::nullopt; }
    };
    [[nodiscard]] static Cursor iterate() { return {}; }
  };
  for (const int num_workers : {0, 2}) {
    for (const std::size_t taken : {0U, 1U, 4U, 7U}) {
      expect_no_seam(
          [&] {
            return DataLoader(
                numbers(20), {.batch_size = 3, .sampler = Backwards(), .num_workers = num_workers});
          },
          taken);
    }
  }
}

// test_sampler.py: StatefulDistributedSampler. The share of a rank, stopped and gone on with.
TEST_F(TestStatefulSampler, goes_on_with_the_share_of_its_rank) {
  for (const bool drop_last : {false, true}) {
    Values of_all;
    for (int rank = 0; rank < 3; ++rank) {
      const auto make = [&] {
        return DataLoader(numbers(20),
                          {.batch_size = 2,
                           .sampler = DistributedSampler(
                               20, {.num_replicas = 3, .rank = rank, .drop_last = drop_last})});
      };
      expect_no_seam(make, 2);
      auto loader = make();
      of_all = joined(of_all, take(loader));
    }
    EXPECT_EQ(of_all.size(), drop_last ? 18U : 21U);
    std::ranges::sort(of_all);
    of_all.erase(std::unique(of_all.begin(), of_all.end()), of_all.end());
    EXPECT_EQ(of_all.size(), drop_last ? 18U : 20U) << "the replicas together leave nobody out";
  }
}

TEST_F(TestStatefulSampler, refuses_a_negative_count) {
  DataLoader loader(numbers(20));
  take(loader, 2);
  std::string text = loader.state_dict().to_json();
  const auto at = text.find("\"samples\":2");
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, 11, "\"samples\":-2");
  EXPECT_NE(test_support::message_of<StateError>([&] {
              static_cast<void>(StateDict::from_json(text));
            }).find("\"samples\""),
            std::string::npos);
}

}  // namespace
}  // namespace forklift
